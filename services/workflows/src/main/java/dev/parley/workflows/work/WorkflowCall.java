package dev.parley.workflows.work;

import dev.parley.domain.ProcessRef;
import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.workflow.ParentCall;
import dev.parley.domain.workflow.WorkRequest;
import dev.parley.domain.workflow.WorkflowCommand.StartProcess;
import dev.parley.platform.worker.Cancellation;
import dev.parley.workflows.WorkflowClient;
import dev.parley.workflows.WorkflowClient.UnsentException;
import dev.parley.workflows.catalogue.DefinitionRow;
import dev.parley.workflows.catalogue.WorkflowCatalogue;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.process.InstanceMachine;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** {@code run: workflow}: starts a child process in the same project, which reports its result when it ends. */
record WorkflowCall(WorkflowCatalogue definitions, WorkflowClient client) implements CallExecutor {
    /** Maximum nesting of workflows. */
    private static final int MAX_DEPTH = 20;

    private static final Duration SEND_TIMEOUT = Duration.ofSeconds(10);
    private static final String LATEST = "latest";

    @Override
    public String function() {
        return "workflow";
    }

    @Override
    public Optional<Json> call(WorkRequest request, Json with, Cancellation cancellation)
            throws CallException, InterruptedException {
        if (request.depth() >= MAX_DEPTH) {
            throw CallException.configuration("workflows can be nested at most %d levels deep".formatted(MAX_DEPTH));
        }
        ProcessRef parent = request.process();
        try {
            client.send(start(request, definition(parent, with), with.get("input")), SEND_TIMEOUT)
                    .close();
        } catch (UnsentException e) {
            throw CallException.communication(String.valueOf(e.getMessage()), e);
        }
        return Optional.empty();
    }

    private static StartProcess start(WorkRequest request, DefinitionRow definition, Json input) {
        ProcessRef parent = request.process();
        ProcessRef child = InstanceMachine.child(parent, request.callId());
        return new StartProcess(
                new CommandMeta(child.id(), parent.host(), Instant.now(), request.user(), null, null),
                child,
                definition.wfDefId(),
                definition.definition(),
                child.id().toString(),
                input.isNull() ? "{}" : input.toString(),
                "{}",
                new ParentCall(parent, request.callId(), request.attempt(), request.depth() + 1),
                null,
                null,
                null);
    }

    private DefinitionRow definition(ProcessRef parent, Json with) throws CallException {
        String name = with.get("namespace").display() + ":" + with.get("name").display();
        String version = with.get("version").text().orElse(LATEST);
        String reference = version.equals(LATEST) ? name : name + ":" + version;
        return definitions
                .find(new WorkflowCatalogue.Scope(parent.host(), RecordKey.projectId(parent.project())), reference)
                .orElseThrow(() -> CallException.configuration("there is no workflow '" + reference + "'"));
    }
}
