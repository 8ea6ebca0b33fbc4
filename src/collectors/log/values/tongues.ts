import { isIdeograph } from './chars.ts';

/** Key words of other languages, each as the English ones that mean the same. `-`: says nothing of its own. */
const table = `
step: 步 步数 步數 步骤 步驟 迭代 迭代次数 迭代步数 ステップ ステップ数 反復 イテレーション 스텝 단계 반복 이터레이션 schritt schritte iterationsschritt étape étapes pas itération itérations paso pasos iteración iteraciones шаг шага шаге шагов итерация итерации passo passi iterazione iteração krok kroky adım stap stappen steg bước крок
epoch: 轮 轮次 轮数 輪次 世代 周期 回合 エポック エポック数 에폭 에포크 epoche epochen durchgang époque époques época épocas эпоха эпохи эпох epoca epok epoka epoki епоха
loss: förlust verlies ztráta utrata mất_mát втрати 损失 損失 损失值 損失値 损失函数 ロス 誤差 손실 로스 손실값 verlust verluste perte pertes coût pérdida perdida pérdidas потеря потери лосс perda perdita strata kayıp
train loss: 训练损失 訓練損失 学習損失 学習ロス 훈련손실 학습손실 trainingsverlust
val loss: 验证损失 驗證損失 评估损失 测试损失 検証損失 評価損失 検証ロス 검증손실 평가손실 validierungsverlust testverlust
train: 训练 訓練 学習 훈련 학습 entraînement apprentissage entrenamiento обучение обучения тренировочная тренировка treino addestramento
val: walidacja 验证 驗證 验证集 评估 評估 测试 検証 評価 テスト 검증 평가 validierung auswertung évaluation validación evaluación валидация валидации валидационная валидационные проверка проверке проверки проверочная проверочные тест тесте тестовая тестовые teste wal walidacji doğrulama validação validacao validazione avaliação avaliacao valutazione validatie evaluatie ewaluacja validering utvärdering değerlendirme ověření validace перевірка валідація
lr: 学习率 學習率 学習率 学習レート 학습률 학습율 lernrate lernschritt
learning: 学习 aprendizaje aprendizado apprendimento apprentissage обучения
rate: 率 taux tasa taxa tasso темп
lr: скорость_обучения скорости_обучения темп_обучения taux_d'apprentissage taux_apprentissage tasa_de_aprendizaje taxa_de_aprendizado taxa_de_aprendizagem tasso_di_apprendimento velocidad_de_aprendizaje współczynnik_uczenia tempo_uczenia öğrenme_oranı leersnelheid leertempo inlärningshastighet rychlost_učení tốc_độ_học швидкість_навчання скорость_обуч η
norm: 范数 範數 模 模长 ノルム 노름 놈 norme norma норма
grad: 梯度 勾配 그래디언트 그라디언트 기울기 경사 gradiente gradienten gradiente градиент градиента градиентов gradientes gradient
grad norm: 梯度范数 梯度範數 梯度模 勾配ノルム 기울기노름 그래디언트노름 gradientennorm gradientnorm norma_do_gradiente norma_del_gradiente norme_du_gradient норма_градиента норма_градиентов
throughput: 吞吐 吞吐量 吞吐率 吞吐速度 速度 スループット 処理速度 처리량 처리속도 속도 durchsatz geschwindigkeit débit vitesse rendimiento velocidad пропускная скорость скорость_обработки производительность speed tempo
tokens: 令牌 词元 詞元 トークン 토큰 jetons токен токенов токены
samples: 样本 樣本 サンプル 샘플 proben beispiele bilder échantillons muestras примеров образцов
memory: 显存 顯存 内存 記憶體 显存占用 显存使用 メモリ メモリー 메모리 speicher grafikspeicher mémoire memoria память памяти видеопамять memória
eta: 剩余时间 剩餘時間 预计剩余时间 预计剩余 预计 残り時間 推定残り時間 남은시간 restzeit restdauer kalan kalan_süre оставшееся tempo_rimanente tempo_restante
left: 剩余 剩餘 reste restant restante verbleibt übrig осталось 残り rimanente verbleibend verbleibende pozostało
elapsed: 已用时间 已用 已用時間 已耗时 用时 累计用时 总用时 运行时间 経過時間 経過 경과시간 경과 verstrichen vergangen laufzeit écoulé ecoulé transcurrido прошло прошедшее затрачено истекло trascorso decorrido
time: zeiten tiempos tempi tempos времена 时间 時間 耗时 用時 时长 시간 zeit dauer temps durée tiempo duración время длительность tempo
step time: 步耗时 每步耗时 单步耗时 单步时间 每步时间 每步 单步 每迭代 每次迭代 迭代时间 迭代耗时 步时间 ステップ時間 1ステップ時間 스텝시간 schrittzeit schrittdauer iterationszeit
queue: coda 队列 佇列 队列长度 队列深度 缓冲 缓冲区 缓冲队列 キュー キュー長 待ち行列 대기열 큐 warteschlange warteschlangen puffer cola colas очередь очереди fila filas kolejka kolejki file_d'attente files_d'attente буфер буферы
wait: 等待 等待时间 待ち 待ち時間 待機 대기 대기시간 wartezeit attente espera ожидание attesa
stage: 阶段 階段 各阶段 工序 ステージ フェーズ fase fasi fases phasen stufen этап этапы этапов стадии
status: 状态 狀態 状況 상태 占用 占用情况 使用情况 使用状況 zustand füllstand füllstände état состояние заполнение ocupación
forward: 前向 前向传播 順伝播 순전파 vorwärts
backward: 反向 反向传播 逆伝播 역전파 rückwärts
optimizer: 优化器 優化器
data: 数据 データ 데이터 daten données datos данные
total: 总 总共 合计 共 合計 総 総合 전체 총 gesamt totale всего общий общая общее
current: 当前 現在 현재 aktuell aktueller actuel actuelle actual текущий текущая
avg: 平均 平均值 평균 durchschnitt mittel mittlere moyenne moyen promedio средняя среднее средний
max: 最大 峰值 ピーク 최대 피크 maximal spitze máximo максимум пик
per: 每 毎 매 pro par por на за в auf bei sur sobre na
global: 全局 全体 グローバル 전역 globale globaler глобальный
reward: 奖励 獎勵 報酬 보상 belohnung récompense recompensa награда
acc: 准确率 準確率 精度 正解率 정확도 genauigkeit précision exactitud precisión точность
ppl: 困惑度 パープレキシティ 퍼플렉서티
sec: 秒 초 сек секунду секунда с sekunde seconde segundo secondo
per sec: 초당 毎秒 每秒 秒間
lr: η
gpu: 卡 单卡
-: 数 值 次 个 第 中 の 값 수 番目 次数 长度 de du des der das la le les el los las del of the di da для
`;

const words = new Map<string, string>();
let longest = 1;
for (const line of table.trim().split('\n')) {
  const at = line.indexOf(':');
  const english = line.slice(0, at) === '-' ? '' : line.slice(0, at);
  for (const word of line
    .slice(at + 1)
    .trim()
    .split(' ')) {
    const plain = word.replaceAll('_', ' ');
    if (!words.has(plain)) words.set(plain, english);
    if (isIdeograph(plain.charCodeAt(0))) longest = Math.max(longest, plain.length);
  }
}

/** A key in lower case, in English as far as its words are known. Words without blanks are parted: `训练损失` is `train loss`. */
export function translate(key: string): string {
  if (/^[\x20-\x7e]*$/.test(key) && !foreign.test(key)) return key;
  const whole = words.get(key) ?? words.get(key.replaceAll(' ', ''));
  if (whole !== undefined) return whole;
  return key
    .split(/[\s'’]+/)
    .map((word) => words.get(word) ?? partWord(word))
    .join(' ')
    .trim();
}

/** Words in plain letters that are no English. */
const foreign = new RegExp(`\\b(?:${[...words.keys()].filter((word) => /^[a-z' ]+$/.test(word)).join('|')})\\b`);

/** The longest words that are known, from the left. */
function partWord(word: string): string {
  if (!/[\u2e80-\ud7ff]/.test(word)) return word;
  const parts: string[] = [];
  let i = 0;
  while (i < word.length) {
    if (!isIdeograph(word.charCodeAt(i))) {
      let end = i + 1;
      while (end < word.length && !isIdeograph(word.charCodeAt(end))) end++;
      parts.push(word.slice(i, end));
      i = end;
      continue;
    }
    let length = Math.min(longest, word.length - i);
    while (length > 1 && !words.has(word.slice(i, i + length))) length--;
    const part = word.slice(i, i + length);
    parts.push(words.get(part) ?? part);
    i += length;
  }
  return parts.join(' ');
}
