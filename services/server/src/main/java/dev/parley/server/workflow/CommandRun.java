package dev.parley.server.workflow;

import dev.parley.domain.protocol.CallResult.ToolAnswered;
import dev.parley.domain.protocol.ToolRequest;
import dev.parley.domain.protocol.ToolStatus;
import dev.parley.domain.workflow.WorkRequest;
import dev.parley.platform.power.Power;
import dev.parley.platform.power.PowerGrants;
import dev.parley.platform.worker.Cancellation;
import dev.parley.tools.Tool;
import dev.parley.tools.ToolRegistry;
import dev.parley.tools.ToolWorker;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonText;
import dev.parley.workflows.json.Values;
import dev.parley.workflows.work.CallException;
import dev.parley.workflows.work.CallExecutor;
import dev.parley.workflows.work.CallExecutors;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Runs a program of the host for a workflow. The call is in the ledger of tools: one whose worker crashed is not rerun,
 * and its task fails.
 */
abstract class CommandRun implements CallExecutor {
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private final String function;
    private final ToolWorker worker;
    private final PowerGrants powers;

    /** @param function its name in a {@code run} task */
    CommandRun(String function, ToolWorker worker, PowerGrants powers) {
        this.powers = powers;
        this.function = function;
        this.worker = worker;
    }

    /** The power that it takes. */
    abstract Power power();

    /** The runner. */
    abstract Tool tool() throws CallException;

    /** Further settings of the runner. */
    Json settings(Json with) throws CallException {
        return Values.EMPTY_OBJECT;
    }

    /** @throws CallException when a variable of the environment cannot have this value */
    void checkVariable(String name, String value) throws CallException {}

    @Override
    public String function() {
        return function;
    }

    @Override
    public boolean isRepeatable() {
        return false;
    }

    @Override
    public Optional<Json> call(WorkRequest request, Json with, Cancellation cancellation)
            throws CallException, InterruptedException {
        Optional<String> refusal = powers.refusal(power(), CallExecutors.scope(request));
        if (refusal.isPresent()) {
            throw CallException.configuration(refusal.get());
        }
        Tool tool = tool();
        var registry = new ToolRegistry(List.of(tool), true);
        ToolRequest toolRequest = LedgerCall.request(request, tool.spec().name(), "", arguments(request, with));
        ToolAnswered answered = LedgerCall.answer(
                toolRequest,
                cancellation.deadline(),
                ready -> worker.call(registry, ready, request.process().key(), cancellation));
        if (answered.status() == ToolStatus.COMPLETED) {
            return Optional.of(ProcessResult.of(
                    JsonText.read(answered.content()), with.get("return").display(), "the " + displayName()));
        }
        String reason = answered.content().replaceFirst("^error: ", "");
        boolean timedOut = cancellation
                .reason()
                .filter(Cancellation.Reason.DEADLINE::equals)
                .isPresent();
        throw timedOut ? CallException.timeout(reason) : CallException.communication(reason);
    }

    /** The name in error messages. */
    abstract String displayName();

    private Json arguments(WorkRequest request, Json with) throws CallException {
        if (!(with.get("arguments") instanceof Json.Arr || with.get("arguments").isNull())) {
            throw CallException.configuration(
                    "'arguments' is a list, not " + with.get("arguments").type());
        }
        Json arguments = settings(with)
                .with(
                        "arguments",
                        Json.of(with.get("arguments").list().stream()
                                .map(CommandRun::text)
                                .toList()))
                .with("environment", environment(with))
                .with("idempotencyKey", Json.of(request.idempotencyKey()));
        for (String text : List.of("command", "stdin")) {
            arguments = with.get(text).isNull() ? arguments : arguments.with(text, text(with.get(text)));
        }
        return arguments;
    }

    private Json environment(Json with) throws CallException {
        Json environment = Values.EMPTY_OBJECT;
        for (var variable : with.get("environment").map().entrySet()) {
            if (!VARIABLE.matcher(variable.getKey()).matches()) {
                throw CallException.configuration("'" + variable.getKey() + "' is not a valid variable name");
            }
            checkVariable(variable.getKey(), variable.getValue().display());
            environment = environment.with(variable.getKey(), text(variable.getValue()));
        }
        return environment;
    }

    static Json text(Json value) {
        return Json.of(value.display());
    }
}
