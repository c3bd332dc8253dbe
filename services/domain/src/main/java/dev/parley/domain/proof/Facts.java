package dev.parley.domain.proof;

import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.permission.PermissionAction;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.Reply;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnCommand.ImportSession;
import dev.parley.domain.protocol.TurnCommand.SeedContext;
import dev.parley.domain.protocol.TurnCommand.SubmitTurn;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnEvent.*;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Extraction of facts from records. */
public final class Facts {
    /** The word of read-only commands. */
    static final String READ_ONLY = "question";

    /** The end of a turn that a person answered in the agent's place. */
    static final String ANSWERED = "answered by an operator";

    private Facts() {}

    /** The facts of a command; an import has those of its turns, too. */
    public static List<RecordFact> of(TurnCommand command, String session, Place place) {
        CommandMeta meta = command.meta();
        var facts = new ArrayList<RecordFact>();
        facts.add(RecordFact.of(FactKind.COMMAND, session, place)
                .id(meta.commandId())
                .word(isReadOnly(command) ? READ_ONLY : command.getClass().getSimpleName())
                .more(command instanceof SubmitTurn submit ? submit.channel() : "")
                .who(meta.user())
                .flag(meta.ownOnly())
                .build());
        if (command instanceof ImportSession imported) {
            imported.events().stream()
                    .filter(TurnAccepted.class::isInstance)
                    .map(event -> RecordFact.of(FactKind.IMPORTED, session, place)
                            .id(event.meta().turnId())
                            .build())
                    .forEach(facts::add);
        }
        return facts;
    }

    private static boolean isReadOnly(TurnCommand command) {
        return command instanceof TurnCommand.ListTodos
                || command instanceof TurnCommand.ListReminders
                || command instanceof TurnCommand.ListCalls
                || (command instanceof SeedContext seed && seed.piece() == SeedContext.QUESTION);
    }

    /** The fact of an event. */
    public static RecordFact of(TurnEvent event, String session, Place place) {
        UUID turn = event.meta().turnId();
        RecordFactBuilder fact = RecordFact.of(FactKind.EVENT, session, place)
                .seq(event.meta().seq())
                .turn(turn)
                .id(turn);
        return describe(event, fact).build();
    }

    private static RecordFactBuilder describe(TurnEvent event, RecordFactBuilder fact) {
        return switch (event) {
            case SessionOpened e -> fact.kind(FactKind.OPENED).who(e.user());
            case SessionErased _ -> fact.kind(FactKind.ERASED);
            case TurnAccepted e ->
                fact.kind(FactKind.ACCEPTED).word(e.origin().code()).flag(e.replyTo() != null && e.parent() == null);
            case TurnStarted e -> fact.kind(FactKind.STARTED).until(e.deadline());
            case TurnCompleted e -> fact.kind(FactKind.ENDED).word(e.handedOff() ? ANSWERED : "completed");
            case TurnFailed _ -> fact.kind(FactKind.ENDED).word("failed");
            case TurnCancelled _ -> fact.kind(FactKind.ENDED).word("cancelled");
            case ToolRequested e -> describeCall(e, fact);
            case ToolCalled e ->
                fact.kind(FactKind.CALL_ENDED)
                        .id(e.callId())
                        .word(e.status().name())
                        .more(e.name());
            case CallSettled e -> fact.kind(FactKind.SETTLED).id(e.callId());
            default -> describePermission(event, fact);
        };
    }

    private static RecordFactBuilder describeCall(ToolRequested call, RecordFactBuilder fact) {
        return fact.kind(FactKind.CALL)
                .id(call.callId())
                .word(call.attempt() == 1 ? "first" : "again")
                .more(call.name())
                .until(call.version().equals(ToolSpec.OF_CALLER) ? call.deadline() : null);
    }

    private static RecordFactBuilder describePermission(TurnEvent event, RecordFactBuilder fact) {
        return switch (event) {
            case PermissionDecided e
            when e.action() == PermissionAction.DENY ->
                fact.kind(FactKind.DENIED).id(e.callId());
            case ApprovalRequested e ->
                fact.kind(FactKind.APPROVAL_REQUESTED)
                        .id(e.approvalId())
                        .call(e.callId())
                        .until(e.expiresAt());
            case ApprovalDecided e ->
                fact.kind(FactKind.APPROVAL_DECIDED)
                        .id(e.approvalId())
                        .call(e.callId())
                        .word(e.answer().name().toLowerCase(java.util.Locale.ROOT))
                        .flag(e.answer().allows());
            default -> fact;
        };
    }

    /** The fact of an outcome. */
    public static RecordFact of(UUID id, Outcome outcome, String session, Place place) {
        String word = switch (outcome) {
            case Outcome.Accepted accepted -> "accepted:" + accepted.disposition();
            case Outcome.Refused refused -> "refused:" + refused.code();
            case Outcome.Finished finished -> "finished:" + finished.state();
            case Outcome.TodosListed _,
                    Outcome.RemindersListed _,
                    Outcome.CallsListed _,
                    Outcome.Reverted _,
                    Outcome.Retained _,
                    Outcome.Recalled _,
                    Outcome.Concluded _,
                    Outcome.ProcessShown _ -> "told";
        };
        return RecordFact.of(FactKind.OUTCOME, session, place).id(id).word(word).build();
    }

    /** The fact of a reply. */
    public static RecordFact of(Reply reply, Place place) {
        return RecordFact.of(FactKind.REPLY, reply.key().toString(), place)
                .id(reply.replyId())
                .turn(reply.turnId())
                .word(reply.kind().name())
                .more(reply.to().bot())
                .build();
    }
}
