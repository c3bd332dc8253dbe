package dev.parley.server.workflow;

import dev.parley.domain.ProcessRef;
import dev.parley.domain.definition.Definitions;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.permission.Decision;
import dev.parley.domain.permission.PermissionAction;
import dev.parley.domain.permission.Permissions;
import dev.parley.domain.permission.Subject;
import dev.parley.domain.protocol.CallResult.ToolAnswered;
import dev.parley.domain.protocol.ToolRequest;
import dev.parley.domain.protocol.ToolStatus;
import dev.parley.domain.workflow.WorkRequest;
import dev.parley.platform.definitions.KafkaDefinitions;
import dev.parley.platform.worker.Cancellation;
import dev.parley.tools.ToolWorker;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonText;
import dev.parley.workflows.json.Values;
import dev.parley.workflows.work.CallException;
import dev.parley.workflows.work.CallExecutor;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.Optional;

/**
 * {@code call: tool}: calls a tool of the project. Its output is parsed as JSON where possible. Permission rules that
 * deny or ask apply; without a rule the call is allowed.
 */
@Singleton
@Requires(property = "parley.role.workflows", value = "true", beans = ToolWorker.class)
final class WorkflowToolCall implements CallExecutor {
    private final ToolWorker worker;
    private final KafkaDefinitions catalogue;

    WorkflowToolCall(ToolWorker worker, KafkaDefinitions catalogue) {
        this.worker = worker;
        this.catalogue = catalogue;
    }

    @Override
    public String function() {
        return "tool";
    }

    @Override
    public boolean isRepeatable() {
        return false; // the tool may be one that must not run twice
    }

    @Override
    public Optional<Json> call(WorkRequest request, Json with, Cancellation cancellation)
            throws CallException, InterruptedException {
        ProcessRef process = request.process();
        Definitions definitions = catalogue.in(process.host(), process.key().projectId());
        String name = with.get("tool").display();
        ToolSpec tool = definitions
                .tool(name, null)
                .orElseThrow(() -> CallException.configuration("there is no tool '" + name + "' in this project"));
        Json arguments = with.get("arguments").isNull() ? Values.EMPTY_OBJECT : with.get("arguments");
        permit(definitions, tool, arguments);
        ToolRequest toolRequest = LedgerCall.request(request, name, tool.version(), arguments);
        return Optional.of(output(LedgerCall.answer(
                toolRequest, cancellation.deadline(), ready -> worker.call(ready, process.key(), cancellation))));
    }

    private static void permit(Definitions definitions, ToolSpec tool, Json arguments) throws CallException {
        Subject subject;
        try {
            subject = tool.about() == null
                    ? Subject.NONE
                    : tool.subject(arguments.get(tool.about().argument()).display());
        } catch (IllegalArgumentException e) {
            throw CallException.configuration(
                    "'" + tool.name() + "' cannot be called with these arguments: " + e.getMessage());
        }
        var call = new Permissions.Call(
                LedgerCall.AGENT, tool.name(), tool.access().category(), subject);
        Decision decision = Permissions.decide(definitions.permissions(), call, Instant.now());
        if (decision.rule() != null && decision.action() != PermissionAction.ALLOW) {
            throw CallException.configuration("the rule " + decision.rule() + " does not allow workflows to call '"
                    + tool.name() + "'"
                    + (decision.action() == PermissionAction.ASK ? ": it requires the approval of a person" : ""));
        }
    }

    private static Json output(ToolAnswered answered) throws CallException {
        String text = answered.content();
        if (answered.status() != ToolStatus.COMPLETED) {
            throw CallException.communication(text.replaceFirst("^error: ", ""));
        }
        return JsonText.readOrText(text);
    }
}
