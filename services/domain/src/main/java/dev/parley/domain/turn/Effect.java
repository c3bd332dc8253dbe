package dev.parley.domain.turn;

import dev.parley.domain.RecordKey;
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
import dev.parley.domain.session.Session;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What the shell has to do, in order, after the events of a decision were written. */
public sealed interface Effect {

    /** Keep an entry of the context. */
    record Keep(long index, Entry entry) implements Effect {}

    /** Entries from {@code from} to before {@code to} are not needed any more. */
    record Forget(long from, long to) implements Effect {}

    /**
     * Ask a model; its messages are the entries from {@code from} to before {@code to}, and {@code more} after them; {@code memory}
     * is what it is reminded of, or null.
     */
    record AskModel(
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
            implements Effect {
        /** What the model is asked. @param messages the entries that are meant, then {@code more} */
        public ModelRequest request(Session session, List<Message> messages) {
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

    /** Have a bank remember or forget something. */
    record AskBank(MemoryCommand command) implements Effect {}

    /** Ask a tool. */
    record AskTool(ToolRequest request) implements Effect {}

    /** Ask for a rule of the project or the host. */
    record AskRule(RuleRequest request) implements Effect {}

    /** Stop a model's call. */
    record StopModel(UUID callId) implements Effect {}

    /** Stop a tool's call. */
    record StopTool(UUID callId) implements Effect {}

    /** Give another session a command. */
    record Send(RecordKey to, TurnCommand command) implements Effect {}

    /** Send the entries from {@code from} to before {@code to} to another session, in pieces like this one. */
    record Seed(RecordKey to, TurnCommand.SeedContext piece, long from, long end) implements Effect {}

    /** Answer the session that delegated. */
    record Answer(RecordKey to, CallResult result) implements Effect {}

    /** Deliver text to a chat. */
    record Deliver(Reply reply) implements Effect {}

    /** Show those who watch. */
    record Show(TurnDelta delta) implements Effect {}

    /** Tell whoever waits at this partition of the topic of outcomes. */
    record Tell(int partition, Outcome outcome) implements Effect {}

    /** Remember a command's or turn's outcome, to repeat it for a duplicate. */
    record Remember(UUID commandId, Outcome outcome) implements Effect {}

    /**
     * Of every outcome of this session only {@linkplain Outcome#erased that it was erased} is remembered, and all services are
     * told.
     */
    record Erase(UUID erasure) implements Effect {}
}
