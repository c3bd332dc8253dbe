package dev.parley.memory.api;

import dev.parley.domain.memory.MemoryCommand.Retain;
import dev.parley.domain.protocol.Outcome;
import dev.parley.memory.api.DocJson.OperationJson;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The stored result of a retain request for a document.
 *
 * @param state {@code given} without an outcome, {@code taken} or {@code refused}
 */
@MappedEntity(value = "agent_memory_operation_t", schema = "memory")
record OperationRow(
        UUID hostId,
        UUID bankId,
        @Nullable UUID projectId,
        @Id UUID operationId,
        UUID docId,
        String state,
        @Nullable String code,
        @Nullable String message,
        String updateUser) {
    static OperationRow of(Bank bank, String user, Retain command, @Nullable Outcome outcome) {
        Outcome.Refused refused = outcome instanceof Outcome.Refused refusal ? refusal : null;
        String state = outcome == null ? "given" : "taken";
        return new OperationRow(
                bank.host(),
                bank.id(),
                bank.ref().projectId().orElse(null),
                command.meta().commandId(),
                command.docId(),
                refused == null ? state : "refused",
                refused == null ? null : refused.code(),
                refused == null ? null : refused.message(),
                user);
    }

    OperationJson json() {
        return new OperationJson(operationId, docId, state.equals("refused") ? state : "pending", null, code, message);
    }
}
