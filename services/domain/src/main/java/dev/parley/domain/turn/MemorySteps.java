package dev.parley.domain.turn;

import dev.parley.domain.Ids;
import dev.parley.domain.bank.BankRef;
import dev.parley.domain.bank.BankScope;
import dev.parley.domain.bank.Directive;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.Role;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.Guardrail;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.memory.MemoryCommand.Forget;
import dev.parley.domain.memory.MemoryCommand.Retain;
import dev.parley.domain.memory.Utterance;
import dev.parley.domain.memory.reflect.DirectiveCheck;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.Recollection;
import dev.parley.domain.protocol.ToolCall;
import dev.parley.domain.protocol.ToolStatus;
import dev.parley.domain.protocol.TurnEvent.RecollectionChanged;
import dev.parley.domain.protocol.TurnEvent.TurnRemembered;
import dev.parley.domain.session.ActiveTurn;
import dev.parley.domain.session.Session;
import dev.parley.domain.turn.answer.RecallResult;
import dev.parley.domain.turn.answer.ToolArguments;
import dev.parley.language.text.Clip;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Memory in a turn: memories are recalled before a model call, and the turn is retained after it has ended. If recall
 * times out, the turn continues without.
 */
final class MemorySteps {
    /** Timeout of recall. */
    static final Duration RECALL_TIMEOUT = Duration.ofSeconds(2);

    /** Maximum characters of a recall query. */
    private static final int MAX_QUERY_LENGTH = 4_000;

    /** Maximum characters retained of each side; both together are within the limit of a document. */
    private static final int MAX_RETAINED_LENGTH = 400_000;

    private MemorySteps() {}

    /**
     * The banks of the active turn; the first is the one retained to. A turn that others can read has no per-user bank.
     * If the agent's first bank is excluded, the turn has no banks at all, so that private content is not retained to a
     * shared bank. Delegates have none.
     */
    static List<BankRef> banks(TurnDraft draft) {
        ActiveTurn turn = draft.turn();
        if (turn.turn().isDelegate()) {
            return List.of();
        }
        Agent agent = draft.agent();
        Session session = draft.state().open();
        List<Optional<BankRef>> banks = agent.memory().stream()
                .map(scope -> bank(draft, session, turn.turn().user(), agent, scope))
                .toList();
        return banks.isEmpty() || banks.getFirst().isEmpty()
                ? List.of()
                : banks.stream().flatMap(Optional::stream).toList();
    }

    private static Optional<BankRef> bank(
            TurnDraft draft, Session session, @Nullable String user, Agent agent, BankScope scope) {
        String project = draft.state().key().project();
        boolean hasOwnBank = user != null && !session.shared();
        return switch (scope) {
            case HOST -> Optional.of(new BankRef(session.host(), null, null, null));
            case AGENT ->
                exists(draft, agent) ? Optional.of(agent.bank(session.host(), project, null)) : Optional.empty();
            case USER -> hasOwnBank ? Optional.of(new BankRef(session.host(), project, null, user)) : Optional.empty();
            case USER_AGENT ->
                hasOwnBank && exists(draft, agent)
                        ? Optional.of(agent.bank(session.host(), project, user))
                        : Optional.empty();
        };
    }

    /** A turn may outlive its agent, whose banks are deleted with it; banks of installation-wide agents are not. */
    private static boolean exists(TurnDraft draft, Agent agent) {
        return agent.id() == null
                || draft.definitions()
                        .agent(agent.name())
                        .filter(now -> Objects.equals(agent.id(), now.id()))
                        .isPresent();
    }

    /** Whether the model call waits for recall about the inputs. */
    static boolean startRecall(TurnDraft draft, int step) {
        ActiveTurn turn = draft.turn();
        Recollection current = turn.recollection();
        int messages = 1 + turn.steered().size();
        if (current.heard() >= messages || banks(draft).isEmpty()) {
            return false;
        }
        String added = Stream.iterate(current.heard(), n -> n < messages, n -> n + 1)
                .map(n -> Message.text(QuietContext.own(turn.input(n).orElse(List.of()))))
                .filter(text -> !text.isBlank())
                .collect(Collectors.joining("\n"));
        if (added.isBlank()) { // recordings without a transcript have no text to search for
            return false;
        }
        recall(draft, step, messages, truncate(current.words().isBlank() ? added : current.words() + "\n" + added));
        return true;
    }

    private static void recall(TurnDraft draft, int step, int messages, String text) {
        ActiveTurn turn = draft.turn();
        UUID callId = Ids.of("remind", turn.turnId(), step, messages, text);
        Instant timeout = draft.now().plus(RECALL_TIMEOUT);
        Instant deadline = timeout.isBefore(turn.deadline()) ? timeout : turn.deadline();
        var call = ToolCall.ofMachine(
                callId,
                ToolSpec.MEMORY_REMIND,
                "",
                ToolArguments.json("query", Clip.end(text, MAX_QUERY_LENGTH)),
                deadline,
                deadline);
        draft.emit(new RecollectionChanged(
                draft.turnMeta(), turn.recollection().recallRequested(step, messages, text, call), null));
        ToolCalls.request(draft, call);
    }

    /**
     * The recalled memories for the model, or null. Memories of a bank that no longer belongs to the turn are not shown
     * again.
     */
    static @Nullable String memories(TurnDraft draft) {
        String found = draft.turn().recollection().found();
        return found.isEmpty() || banks(draft).isEmpty() ? null : found;
    }

    /**
     * The agent with the directives of its banks as instructions; answers are also checked against them before they are
     * published. If the banks did not answer, their last known directives apply.
     */
    static Agent withDirectives(TurnDraft draft, Agent agent) {
        List<Directive> directives = directives(draft);
        if (directives.isEmpty()) {
            return agent;
        }
        Agent instructed = agent.withAddedInstructions(RecallResult.instructions(directives));
        List<Guardrail> rails = directiveGuardrails(draft);
        return rails.isEmpty() ? instructed : instructed.withLeadingGuardrails(rails);
    }

    /** The guardrails that enforce directives on answers; directives that rules cannot check have none. */
    static List<Guardrail> directiveGuardrails(TurnDraft draft) {
        return directives(draft).stream()
                .filter(DirectiveCheck::binds)
                .map(Guardrail::of)
                .toList();
    }

    private static List<Directive> directives(TurnDraft draft) {
        List<Directive> directives = draft.state().open().directives();
        return directives.isEmpty() || banks(draft).isEmpty() ? List.of() : directives;
    }

    /** Records that a bank is about to retain content of the session. */
    static void recordRetention(TurnDraft draft) {
        banks(draft).stream()
                .findFirst()
                .filter(bank -> !draft.state().open().remembered().contains(bank))
                .ifPresent(bank -> draft.emit(new TurnRemembered(draft.turnMeta(), bank)));
    }

    static void decide(TurnDraft draft, CallResult result) {
        switch (result) {
            case CallResult.ToolAnswered answer
            when answer.status().isFinal() ->
                onRecalled(
                        draft,
                        answer.status() == ToolStatus.COMPLETED
                                ? RecallResult.of(answer.content())
                                : RecallResult.NONE);
            case CallResult.ToolAnswered _,
                    CallResult.CallProgress _,
                    CallResult.RetryAfter _,
                    CallResult.ChildFinished _,
                    CallResult.ModelAnswered _,
                    CallResult.ModelFailed _,
                    CallResult.Embedded _,
                    CallResult.WorkAnswered _,
                    CallResult.Settled _,
                    CallResult.Found _ -> {} // recall is not retried: it ends at its deadline
        }
    }

    /** Continues without memories. */
    static void timeOut(TurnDraft draft) {
        onRecalled(draft, RecallResult.NONE);
    }

    private static void onRecalled(TurnDraft draft, RecallResult result) {
        draft.emit(new RecollectionChanged(
                draft.turnMeta(), draft.turn().recollection().recallReturned(result.notes()), result.directives()));
        ModelCalls.request(draft, draft.turn().recollection().step());
    }

    /**
     * Deletes the session's content from every bank.
     *
     * @param erasure id of the erasure
     */
    static void forgetSession(TurnDraft draft, UUID erasure) {
        Session session = draft.state().open();
        for (BankRef bank : session.remembered()) {
            UUID id = Ids.of("forget", bank.id(), erasure);
            draft.effect(new TurnEffect.SendBankCommand(new Forget(
                    new CommandMeta(id, session.host(), draft.now(), null, null, null),
                    bank,
                    Forget.What.SESSION,
                    null,
                    draft.state().key())));
        }
    }

    /** The agent whose model executes a call that reflects; null for other calls, and if rules execute it. */
    static @Nullable Agent reader(TurnDraft draft, ToolCall call) {
        return call.name().equals(ToolSpec.MEMORY_REFLECT)
                ? draft.agent().memoryReader().orElse(null)
                : null;
    }

    /** The banks of one user only. */
    static List<BankRef> userBanks(TurnDraft draft, @Nullable String user) {
        Session session = draft.state().open();
        Agent agent = draft.sessionAgent();
        return agent.memory().stream()
                .filter(scope -> scope == BankScope.USER || scope == BankScope.USER_AGENT)
                .flatMap(scope -> bank(draft, session, user, agent, scope).stream())
                .toList();
    }

    /**
     * Erases the user's own banks.
     *
     * @param meta metadata of the command
     */
    static void forgetUser(TurnDraft draft, CommandMeta meta) {
        for (BankRef bank : userBanks(draft, meta.user())) {
            draft.effect(new TurnEffect.SendBankCommand(new Forget(
                    meta.silent(Ids.of("forget", bank.id(), meta.commandId())), bank, Forget.What.BANK, null, null)));
        }
    }

    /** Retains the turn. Returns the bank, the first one of the turn, if it has any. */
    static Optional<BankRef> retain(TurnDraft draft, String reply) {
        Optional<BankRef> bank = banks(draft).stream().findFirst();
        if (bank.isPresent()) {
            recordRetention(draft);
            draft.effect(new TurnEffect.SendBankCommand(retainCommand(draft, bank.get(), reply)));
        }
        return bank;
    }

    private static Retain retainCommand(TurnDraft draft, BankRef bank, String reply) {
        ActiveTurn turn = draft.turn();
        Agent agent = draft.agent();
        UUID docId = Ids.of("doc", bank.id(), turn.turnId());
        return new Retain(
                draft.commandMeta(docId),
                bank,
                docId,
                draft.state().key(),
                turn.turnId(),
                turn.turn().seq(),
                utterances(turn, agent, reply),
                null,
                List.of(),
                turn.turn().acceptedAt(),
                agent.memoryReader().orElse(null),
                agent.memoryDays()
                        .map(days -> turn.turn().acceptedAt().plus(days))
                        .orElse(null));
    }

    private static List<Utterance> utterances(ActiveTurn turn, Agent agent, String reply) {
        String content = Message.text(QuietContext.own(turn.turn().content()));
        String searched = turn.recollection().words();
        var input = new Utterance(Role.USER, null, truncate(searched.length() > content.length() ? searched : content));
        return reply.isBlank() || turn.recollection().quotes()
                ? List.of(input)
                : List.of(input, new Utterance(Role.ASSISTANT, agent.name(), truncate(reply)));
    }

    private static String truncate(String text) {
        return Clip.start(text, MAX_RETAINED_LENGTH);
    }
}
