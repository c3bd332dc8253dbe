package dev.parley.workflows.engine;

import dev.parley.workflows.definition.TaskKind;
import dev.parley.workflows.engine.StepOutcome.Done;
import dev.parley.workflows.engine.StepOutcome.Running;
import dev.parley.workflows.json.Json;
import java.util.Optional;

/**
 * Behaviour of an {@code ask} task: asks a person; an unanswered question is escalated, routed or gets a default
 * answer.
 */
record AskTask(TaskRun run) {
    private static final Json ESCALATE = Json.of("escalate");
    private static final Json ROUTE = Json.of("route");
    private static final Json DEFAULT = Json.of("default");

    StepOutcome<Frame.Work> begin(TaskKind.Ask ask) {
        Json question = run.evaluate(ask.question());
        Frame frame = run.frame();
        run.draft().effect(new ProcessEffect.Ask(frame.order(), run.task().name(), question, frame.deadline()));
        return new Running<>(new Frame.Asking(question));
    }

    /** Whether an unanswered question is escalated. */
    boolean isEscalated() {
        return Frame.innermost(run.frame().work()) instanceof Frame.Asking(Json question)
                && question.get("onTimeout").get("action").equals(ESCALATE);
    }

    /** The frame after an escalation; its deadline is already renewed. */
    Frame escalate() {
        Frame frame = run.frame();
        Json question = ((Frame.Asking) Frame.innermost(frame.work())).question();
        Json onTimeout = question.get("onTimeout");
        Json escalated =
                question.with("assignment", onTimeout.get("assignment")).with("onTimeout", onTimeout.get("onTimeout"));
        run.draft().effect(new ProcessEffect.Escalate(frame.order(), escalated, frame.deadline()));
        Frame.Work asking = new Frame.Asking(escalated);
        return frame.withWork(
                frame.work() instanceof Frame.Extending extending
                        ? new Frame.Extending(extending.stage(), asking, extending.output())
                        : asking);
    }

    /** The outcome that {@code onTimeout} of the question defines, if any. */
    Optional<StepOutcome<Frame.Work>> outcomeOnTimeout() {
        if (!(Frame.innermost(run.frame().work()) instanceof Frame.Asking(Json question))) {
            return Optional.empty();
        }
        Json onTimeout = question.get("onTimeout");
        Json action = onTimeout instanceof Json.Obj ? onTimeout.get("action") : onTimeout;
        if (action.equals(ROUTE)) {
            return Optional.of(new Done<>(run.input(), onTimeout.get("then").display()));
        }
        return action.equals(DEFAULT) ? Optional.of(new Done<>(defaultAnswer(question, onTimeout))) : Optional.empty();
    }

    private static Json defaultAnswer(Json question, Json onTimeout) {
        Json timeoutDefault = onTimeout.get("default");
        Json answer = timeoutDefault.isNull() ? question.get("default") : timeoutDefault;
        return answer instanceof Json.Obj ? answer : Json.of("value", answer);
    }
}
