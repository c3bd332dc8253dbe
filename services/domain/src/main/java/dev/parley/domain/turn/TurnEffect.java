package dev.parley.domain.turn;

import dev.parley.domain.RecordKey;
import dev.parley.domain.audit.AuditEntry;
import dev.parley.domain.content.Message;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.memory.MemoryCommand;
import dev.parley.domain.permission.RuleRequest;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.Entry;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.Reply;
import dev.parley.domain.protocol.ToolRequest;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.domain.protocol.origin.Actor;
import dev.parley.domain.session.Session;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A side effect that the caller of the turn machine executes, in order, after the decision's events were written. */
public sealed interface TurnEffect {

    /** Stores an entry of the context. */
    record StoreEntry(long index, Entry entry) implements TurnEffect {}

    /** Deletes the entries [from, to) of the context. */
    record DeleteEntries(long from, long to) implements TurnEffect {}

    /**
     * Sends a request to a model: the entries [from, to), then {@code more}; {@code memory} are recalled memories, or
     * null.
     */
    record RequestModel(
            UUID callId,
            @Nullable UUID turnId,
            int step,
            int attempt,
            ModelRequest.Purpose purpose,
            Agent agent,
            @Nullable String summary,
            long from,
            long to,
            List<Message> more,
            @Nullable String memory,
            List<ToolSpec> tools,
            boolean toolsAllowed,
            @Nullable String user,
            Instant leaseUntil,
            Instant deadline)
            implements TurnEffect {
        /**
         * The model request.
         *
         * @param entries those of the range
         */
        public ModelRequest request(Session session, Collection<Entry> entries) {
            List<Message> messages = Stream.concat(entries.stream().map(Entry::message), more.stream())
                    .toList();
            return new ModelRequest(
                    callId,
                    session.host(),
                    session.sessionId(),
                    turnId,
                    step,
                    attempt,
                    purpose,
                    agent,
                    summary,
                    messages,
                    memory,
                    tools,
                    List.of(),
                    toolsAllowed,
                    user,
                    leaseUntil,
                    deadline);
        }
    }

    /** Sends a command to a memory bank. */
    record SendBankCommand(MemoryCommand command) implements TurnEffect {}

    /** Sends a tool call to a worker. */
    record RequestTool(ToolRequest request) implements TurnEffect {}

    /** Requests a project-level or host-level permission rule. */
    record RequestRule(RuleRequest request) implements TurnEffect {}

    /** Cancels a model call. */
    record CancelModel(UUID callId) implements TurnEffect {}

    /** Cancels a tool call. */
    record CancelTool(UUID callId) implements TurnEffect {}

    /** Sends a command to another session. */
    record SendCommand(RecordKey to, TurnCommand command) implements TurnEffect {}

    /** Sends the entries [from, end) to the session {@code to}, in pieces based on {@code piece}. */
    record SendContext(RecordKey to, TurnCommand.SeedContext piece, long from, long end) implements TurnEffect {}

    /** Sends a result to the delegating session. */
    record SendResult(RecordKey to, CallResult result) implements TurnEffect {}

    /** Delivers a reply to a chat. */
    record DeliverReply(Reply reply) implements TurnEffect {}

    /** Sends a stream delta to subscribers. */
    record PublishDelta(TurnDelta delta) implements TurnEffect {}

    /**
     * Tells operators that the owner of a space of keys refused a session of somebody else there.
     *
     * @param owner of the new session
     * @param former owner of the refused one
     */
    record ReportTakeOver(AuditEntry entry, Actor owner, Actor former) implements TurnEffect {}

    /** Sends an outcome to the instance that waits on this partition of the topic of outcomes. */
    record SendOutcome(int partition, Outcome outcome) implements TurnEffect {}

    /** Stores the outcome of a command or turn, to repeat it for duplicates. */
    record StoreOutcome(UUID commandId, Outcome outcome) implements TurnEffect {}

    /**
     * Replaces every stored outcome of this session by {@linkplain Outcome#erased the erased outcome}, and informs all
     * services.
     */
    record EraseSession(UUID erasure) implements TurnEffect {}
}
