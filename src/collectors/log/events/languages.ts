import type { LogEvent } from '../../../model/samples.ts';
import { pathIn, stepIn } from './checkpoint-rule.ts';
import { countOf, counted, told } from './rule.ts';

const asks =
  /如果|将会|将在|每隔|每 ?\d+|失败|未|没有|无法|不|场合|場合|失敗|毎|ない|없|실패|마다|если|кажд|не |jede|nicht|fehlg|chaque|échec|cada|fall[oó]|será|serão|não |\bsera |verrà|\bwird |\bzal |zostanie|falh|fallit|mislukt|ogni |elke |edilecek|edilemedi/i;
const isCheckpoint =
  /(?:保存|写入|儲存).{0,8}(?:检查点|檢查點|模型|权重|checkpoint|ckpt)|(?:检查点|檢查點|模型|权重|checkpoint|ckpt).{0,80}(?:已保存|保存(?:到|至|于|成功|完成|完了|しました|した))|(?:チェックポイント|モデル|重み).{0,120}保存|(?:체크포인트|모델).{0,120}저장|(?:чекпоинт|контрольная точка|модель).{0,20}сохран|сохран.{0,12}(?:чекпоинт|контрольн|модел)|(?:Checkpoint|Modell) .{0,30}gespeichert|(?:checkpoint|modèle|modelo|point de contrôle|punto de control|ponto de controle|pesos|modello|punto di controllo|kontrol noktası) .{0,30}(?:enregistré|sauvegardé|guardado|salvado|salvo|gravado|salvato|opgeslagen|zapisany|kaydedildi)|(?:zapisano|opgeslagen:?|salvato:?|salvo:?|guardado:?|enregistré:?) (?:o |il |el |le |un )?(?:checkpoint|model)/i;
/** `損失が NaN になりました`, `Verlust ist NaN`, `потери стали NaN`. */
const isNotFinite =
  /(?:损失|損失|ロス|誤差|손실|로스|Verlust|perte|pérdida|perdita|perda|потер[иья]|лосс).{0,20}\b(?:nan|inf)\b|\b(?:nan|inf)\b.{0,12}(?:损失|損失|ロス|손실|Verlust|perte|pérdida|потер)/i;
/** `gradiente não finito no passo 12`, `勾配が非有限です`. */
const isNotANumber = new RegExp(
  String.raw`(?:(loss|损失|損失|ロス|손실|Verlust|perte|pérdida|perdita|perda|потер[иья])|gradient\w*|梯度|勾配|그래디언트|기울기|градиент\w*)(?: ?(?:范数|範數|ノルム|norm|norme|norma))?.{0,12}(?:não finit[oa]|no finit[oa]|non finit[oa]|non[- ]finie?|nicht endlich|не конечн|бесконечн|非有限|无穷大?|無限大|niet eindig)`,
  'i',
);
/** The step is left out. */
const skips =
  /ignorad|ignoré|ignorat|skip|salta|sauté|pulad|descartad|überspr|verworfen|跳过|跳過|スキップ|건너|пропу/i;
/** `損失関数は nan を無視します` */
const heeds = /無視|忽略|避|防|무시|игнор|ignor/i;
const readable = /(?:^|[\s,;(|])(?:損失|损失|손실|Verlust|perte|pérdida|потери|loss)\s?[=:]/i;
const stepOf = new RegExp(
  String.raw`(?:ステップ|步数?|步骤|스텝|단계|Schritt|étape|\bpas|paso|passo|шаге?|step|iter)\s?[=:#]?\s?(${counted})|第\s?(${counted})\s?(?:步|ステップ)`,
  'i',
);
const lossName = String.raw`(?:损失|損失|ロス|誤差|손실|로스|Verlust|perte|pérdida|perdita|perda|потер[иья]|лосс|loss)`;
const jump = String.raw`(?:突增|激增|暴涨|飙升|骤升|尖峰|スパイク|急増|急上昇|急騰|跳ね上が|급증|급등|스파이크|\bAusreißer\b|\bsprunghaft|\bsprang\b|\bpic\b|\bbondit\b|\bpico\b|\bsalto\b|\bpicco\b|скач[ое]к|всплеск|подскочил)`;
/** `損失スパイク`, `损失突增`, `pico de pérdida`; no threshold for it. */
const isSpike = new RegExp(
  String.raw`${lossName}.{0,12}${jump}(?!.{0,6}(?:阈值|閾値|임계|检测器|検出器))|${jump}.{0,12}${lossName}`,
  'i',
);
const isTrainingEnd =
  /训练(?:已经|已)?(?:完成|结束|完毕)|訓練(?:已)?(?:完成|結束)|(?:学習|訓練|トレーニング)(?:が|は)?(?:完了|終了)|(?:학습|훈련)(?:이|을)? ?(?:완료|종료|끝)|обучение (?:завершено|закончено|окончено)|Training (?:abgeschlossen|beendet)|entra[iî]nement (?:terminé|fini|achevé)|entrenamiento (?:finalizado|terminado|completado|acabado|concluido)|trein(?:amento|o) (?:encerrado|conclu[íi]do|finalizado|terminado|completo)|addestramento (?:completato|terminato|concluso|finito)|training (?:voltooid|afgerond)|(?:trening|trenowanie|uczenie) zakończon[ey]|eğitim (?:tamamlandı|bitti)|навчання завершено/i;
const isEvaluation =
  /(?:开始|正在)(?:进行)?(?:验证|评估|评测)|(?:验证|评估|评测)(?:已)?(?:完成|结束)|(?:評価|検証)(?:を|が)?(?:開始|完了|終了)|(?:평가|검증) ?(?:시작|완료)/;
const epochName = String.raw`(?:epoch|epoche|époque|época|epoca|эпох[аиу]|에폭|에포크|エポック)`;
const isEpochEnd = new RegExp(
  [
    String.raw`第 ?(\d+) ?(?:轮|輪|エポック|个? ?epoch).{0,6}(?:完成|结束|結束|完了|終了)`,
    String.raw`(?:${epochName}|轮次?|輪次?) ?(\d+)(?: ?(?:\/|von|sur|de|di|из) ?\d+)? ?(?:训练|学習|학습|training|wurde|ist|est|ha sido|è|が|は|를|을|이)? ?(?:完成|结束|結束|完了|終了|완료|종료|끝|beendet|abgeschlossen|fertig|terminée?|finie|achevée|finalizada|terminada|completada|concluída|terminata|conclusa|completata|finita|завершена|закончена|окончена)`,
    String.raw`(?:\bfin de (?:la |l['’])?|\bfin d['’]|\bende (?:der |von )?|конец |\bfine (?:dell['’])?|\bfine della |\bfim da )${epochName} ?(\d+)(?!\d|[.,]\d)`,
  ].join('|'),
  'i',
);

/** What a run tells of its course in another language than English. */
export function inOtherLanguages(text: string): LogEvent | undefined {
  const none = isNotANumber.exec(text);
  if (none && !readable.test(text) && !/\b(?:se|wenn|falls|si)\b|если|如果|もし|場合/i.test(text)) {
    const step = countOf(stepOf, text);
    return none[1] === undefined && skips.test(text)
      ? told('overflow', { step })
      : told('not_finite', { field: none[1] === undefined ? 'gradNorm' : 'loss', step });
  }
  if (asks.test(text)) return undefined;
  if (isNotFinite.test(text) && !readable.test(text) && !heeds.test(text))
    return told('not_finite', { field: 'loss', step: countOf(stepOf, text) });
  if (isCheckpoint.test(text)) {
    const path = pathIn(text);
    return told('checkpoint', {
      path,
      step: countOf(stepOf, path ? text.replace(path, ' ') : text) ?? stepIn(text, path),
    });
  }
  const epoch = countOf(isEpochEnd, text);
  if (epoch !== undefined) return told('epoch_end', { epoch });
  if (isSpike.test(text)) return told('loss_spike', { step: countOf(stepOf, text) });
  if (isTrainingEnd.test(text)) return told('training_end');
  return isEvaluation.test(text) ? told('evaluation') : undefined;
}
