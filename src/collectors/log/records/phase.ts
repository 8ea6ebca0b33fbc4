import type { LogValues } from '../../../model/samples.ts';

/** Knows from the lines of one log whether an evaluation goes on that tells of its steps as the training does. */
export interface Phase {
  /** The values of a record as those of what goes on; `ofBar`: a bar's, which is drawn again where it stood. */
  read(text: string, values: LogValues | undefined, ofBar: boolean): LogValues | undefined;
}

/** Where a loop stands. */
interface Place {
  readonly step: number;
  readonly total: number | undefined;
}

const longestLine = 200;
const about = /eval|valid|test|验|驗|评|評|検|평가|검증|вал|оцен/i;
const begun =
  /\b(?:run(?:ning)?|start(?:s|ing|ed)?|begin(?:s|ning)?|began|perform(?:ing|s)?|enter(?:ing|s)?|starte|lancement|inicia\w*)\b[^.:;=]{0,30}\b(?:eval\w*|valid(?!e\b)\w*|éval\w*|testing)\b|\b(?:eval\w*|valid\w*|éval\w*|testing)\b[^.:;=]{0,20}\b(?:beg[iau]n\w*|start\w*|running|in progress|en cours)\b|^\W*(?:evaluating|validating|testing|evaluation|validation|eval|val|validierung|évaluation)\b[^:=\d]{0,40}(?:\.{3}|…|:)?\W*$|(?:开始|開始|进行|正在)[^。:]{0,6}(?:验证|驗證|评估|評估|評価|検証|测试)|(?:验证|驗證|评估|評估|評価|検証|测试|평가|검증)[^。:]{0,4}(?:开始|開始|中|시작)|(?:начало|запуск)\s(?:валидации|оценки)/iu;
/** Of settings and of what is done once. */
const noBegin = /\b(?:every|interval|dataset|data\s?loader|will|config\w*|skip\w*|server|disabled|enabled|no|not)\b/i;
const over =
  /\bepochs?\b|\btrain\w*|\bresum\w*|\b(?:eval|valid|test)\w*\b.{0,60}\b(?:finish\w*|done|complet\w*|ended|end|took|summary|samples\s?[:=])|(?:验证|驗證|评估|評估|評価|検証|평가|검증).{0,6}(?:完成|结束|結束|完了|終了|완료|종료)/i;

/**
 * PaddlePaddle says `Eval begin...` and goes on with `step 5/20 - loss: 0.83`: no loss of the training. It is one where the step goes on
 * behind the training's, and where a learning rate or the gradient is told.
 */
export function createPhase(): Phase {
  let training: Place | undefined;
  /** `at`: where the evaluation stands, once it has told. */
  let evaluation: { at?: Place } | undefined;

  const isOfEvaluation = (values: LogValues, place: Place | undefined): boolean => {
    if (!evaluation || !training) return false;
    if (values.learningRate !== undefined || values.gradNorm !== undefined) return false;
    if (!place) return true;
    const { at } = evaluation;
    if (at && (place.step < at.step || place.total !== at.total)) return false;
    return place.total !== training.total || place.step <= training.step;
  };

  return {
    read(text, values, ofBar) {
      const place = values && placeOf(values);
      if (!values || (!place && values.loss === undefined && values.validationLoss === undefined)) {
        listen(text);
        return values;
      }
      if (evaluation && ofBar && place && place.total === training?.total) return values;
      if (values.validationLoss !== undefined) {
        evaluation = undefined;
        return values;
      }
      if (evaluation && !/\btrain/i.test(text) && isOfEvaluation(values, place)) {
        if (place) evaluation.at = place;
        return asEvaluation(values, place === undefined && !/\d\s?\/\s?\d/.test(text));
      }
      evaluation = undefined;
      if (place && values.loss !== undefined) training = place;
      return values;
    },
  };

  function listen(text: string): void {
    if (text.length > longestLine) return;
    if (evaluation && over.test(text)) evaluation = undefined;
    if (about.test(text) && begun.test(text) && !noBegin.test(text) && !over.test(text)) evaluation = {};
  }
}

function placeOf({ step, totalSteps, stepInEpoch, stepsPerEpoch }: LogValues): Place | undefined {
  if (step !== undefined) return { step, total: totalSteps };
  return stepInEpoch === undefined ? undefined : { step: stepInEpoch, total: stepsPerEpoch };
}

/** The loss of one of its steps is not that of all (`isWhole`). */
function asEvaluation(values: LogValues, isWhole: boolean): LogValues {
  const place = placeOf(values);
  const { loss, stepSeconds, iterationsPerSecond, samplesPerSecond, tokensPerSecond, etaSeconds, other } = values;
  const own = {
    ...other,
    step_in_epoch: place?.step,
    steps_per_epoch: place?.total,
    val_loss: isWhole ? undefined : loss,
    val_step_seconds: stepSeconds,
    val_iterations_per_second: iterationsPerSecond,
    val_samples_per_second: samplesPerSecond,
    val_tokens_per_second: tokensPerSecond,
    val_eta_seconds: etaSeconds,
  };
  const told = Object.entries(own).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]));
  const { epoch, memoryBytes, elapsedSeconds, queues, stages } = values;
  return {
    ...(epoch !== undefined && { epoch }),
    ...(memoryBytes !== undefined && { memoryBytes }),
    ...(elapsedSeconds !== undefined && { elapsedSeconds }),
    ...(queues && { queues }),
    ...(stages && { stages }),
    ...(isWhole && loss !== undefined && { validationLoss: loss }),
    ...(told.length > 0 && { other: Object.fromEntries(told) }),
  };
}
