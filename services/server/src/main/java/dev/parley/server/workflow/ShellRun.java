package dev.parley.server.workflow;

import dev.parley.domain.protocol.CallResult.ToolAnswered;
import dev.parley.domain.protocol.ToolRequest;
import dev.parley.domain.protocol.ToolStatus;
import dev.parley.domain.workflow.WorkRequest;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.worker.Cancellation;
import dev.parley.tools.ToolRegistry;
import dev.parley.tools.ToolWorker;
import dev.parley.tools.command.CommandTool;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonText;
import dev.parley.workflows.json.Values;
import dev.parley.workflows.work.CallException;
import dev.parley.workflows.work.Callable;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * {@code run: shell}: a command of the operating system, where the operator allows it. It is looked up in the ledger of tools: one whose worker
 * died is not run again, and its task fails.
 */
@Singleton
@Requires(property = "parley.role.workflows", value = "true", beans = ToolWorker.class)
final class ShellRun implements Callable {
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private final ToolRegistry command = new ToolRegistry(List.of(new CommandTool()), true);
    private final ToolWorker worker;
    private final boolean allowed;

    ShellRun(ToolWorker worker, ParleyConfig config) {
        this.worker = worker;
        allowed = config.workflows().shell();
    }

    @Override
    public String function() {
        return "shell";
    }

    @Override
    public boolean isRepeatable() {
        return false;
    }

    @Override
    public Optional<Json> call(WorkRequest request, Json with, Cancellation cancellation)
            throws CallException, InterruptedException {
        if (!allowed) {
            throw CallException.configuration(
                    "this server runs no commands: parley.yml does not say workflows: { shell: true }");
        }
        ToolRequest asked = LedgerCall.request(request, CommandTool.NAME, "", arguments(request, with));
        ToolAnswered answered = LedgerCall.answer(
                asked, ready -> worker.call(command, ready, request.process().key(), cancellation));
        if (answered.status() == ToolStatus.COMPLETED) {
            return Optional.of(ProcessResult.of(
                    JsonText.read(answered.content()), with.get("return").display(), "the command"));
        }
        String why = answered.content().replaceFirst("^error: ", "");
        boolean late = cancellation
                .reason()
                .filter(Cancellation.Reason.DEADLINE::equals)
                .isPresent();
        throw late ? CallException.timeout(why) : CallException.communication(why);
    }

    private static Json arguments(WorkRequest request, Json with) throws CallException {
        if (!(with.get("arguments") instanceof Json.Arr || with.get("arguments").isNull())) {
            throw CallException.configuration(
                    "'arguments' is a list, not " + with.get("arguments").type());
        }
        Json environment = Values.EMPTY_OBJECT;
        for (var variable : with.get("environment").map().entrySet()) {
            if (!VARIABLE.matcher(variable.getKey()).matches()) {
                throw CallException.configuration("'" + variable.getKey() + "' is no name of a variable");
            }
            environment = environment.with(variable.getKey(), text(variable.getValue()));
        }
        Json arguments = Json.of("command", text(with.get("command")))
                .with(
                        "arguments",
                        Json.of(with.get("arguments").list().stream()
                                .map(ShellRun::text)
                                .toList()))
                .with("environment", environment)
                .with("idempotencyKey", Json.of(request.idempotencyKey()));
        return with.get("stdin").isNull() ? arguments : arguments.with("stdin", text(with.get("stdin")));
    }

    private static Json text(Json value) {
        return Json.of(value.display());
    }
}
