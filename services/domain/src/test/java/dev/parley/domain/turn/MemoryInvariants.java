package dev.parley.domain.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.bank.BankRef;
import dev.parley.domain.bank.BankScope;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.Role;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.Definitions;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.memory.MemoryCommand;
import dev.parley.domain.memory.Utterance;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.domain.protocol.ToolRequest;
import dev.parley.domain.protocol.ToolStatus;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnEvent.RecollectionChanged;
import dev.parley.domain.protocol.TurnEvent.SessionOpened;
import dev.parley.domain.protocol.TurnEvent.ToolRequested;
import dev.parley.domain.protocol.TurnEvent.TurnAccepted;
import dev.parley.domain.protocol.TurnEvent.TurnCompleted;
import dev.parley.domain.protocol.TurnEvent.TurnRevised;
import dev.parley.domain.protocol.TurnEvent.TurnStarted;
import dev.parley.domain.protocol.TurnInput;
import dev.parley.domain.session.ActiveTurn;
import dev.parley.domain.session.SessionState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Invariants of a session's requests to memory. Keeps the history that they need. */
final class MemoryInvariants {
    private static final Set<BankScope> OF_A_PERSON = Set.of(BankScope.USER, BankScope.USER_AGENT);

    private static final Set<BankScope> OF_AN_AGENT = Set.of(BankScope.AGENT, BankScope.USER_AGENT);

    private final Map<UUID, TurnAccepted> accepted = new HashMap<>();
    private final Map<UUID, String> messages = new HashMap<>();
    private final Map<UUID, TurnStarted> started = new HashMap<>();
    /** Users who spoke in the current session; unknown users have no bank and share none. */
    private final Set<String> speakers = new HashSet<>();

    private final Set<UUID> recalled = new HashSet<>();
    private final Map<UUID, Set<String>> found = new HashMap<>();
    private final Set<UUID> quoting = new HashSet<>();
    private final Set<UUID> remembered = new HashSet<>();
    private final Set<BankRef> keepers = new HashSet<>();
    private @Nullable String opener;
    private boolean everShared;

    /** Checks a decision before its effects are carried out. */
    void checkDecision(SessionState before, TurnInput input, TurnDecision decisions, Definitions definitions) {
        decisions.events().forEach(this::happened);
        ActiveTurn turn = before.active();
        if (turn != null
                && turn.recollection().asked() != null
                && input instanceof CallResult.ToolAnswered answer
                && answer.callId().equals(turn.recollection().asked().callId())
                && answer.status() == ToolStatus.COMPLETED) {
            found.computeIfAbsent(turn.turnId(), _ -> new HashSet<>()).add(answer.content());
        }
        int retained = 0;
        var forgets = new ArrayList<MemoryCommand.Forget>();
        for (TurnEffect effect : decisions.effects()) {
            switch (effect) {
                case TurnEffect.RequestTool call -> aToolHasTheBanksOfItsTurn(call.request(), definitions);
                case TurnEffect.RequestModel call
                when call.purpose() == ModelRequest.Purpose.REPLY -> aModelIsCalledAfterRecall(call, definitions);
                case TurnEffect.SendBankCommand send -> {
                    if (send.command() instanceof MemoryCommand.Retain retain) {
                        retained++;
                        aTurnIsRetainedOnce(retain, definitions, decisions);
                    } else {
                        forgets.add((MemoryCommand.Forget) send.command());
                    }
                }
                default -> {}
            }
        }
        retainingBanksForget(input, forgets);
        assertEquals(turnsToRetain(decisions, definitions), retained, "turns that ended and those that are remembered");
    }

    /** Checks the stored state after a decision. */
    static void checkRest(SessionState state, Instant now) {
        ActiveTurn turn = state.active();
        if (turn != null && turn.recollection().asked() != null) {
            Instant deadline = turn.recollection().asked().deadline();
            assertFalse(deadline.isAfter(now.plus(MemorySteps.RECALL_TIMEOUT)), "memory is waited for too long");
            assertNull(turn.model(), "a model is asked while memory is");
            assertTrue(
                    turn.calls().stream().allMatch(call -> call.status().isFinal()),
                    "memory is asked while tools are at work");
        }
    }

    private void happened(TurnEvent event) {
        switch (event) {
            case SessionOpened opened -> {
                speakers.clear();
                opener = opened.user();
            }
            case TurnAccepted turn -> {
                accepted.put(id(turn.meta().turnId()), turn);
                messages.put(id(turn.meta().turnId()), Message.text(turn.content()));
                if (turn.user() != null && !turn.posted()) { // whoever posts does not talk there
                    speakers.add(turn.user());
                    everShared |= !turn.user().equals(opener);
                }
            }
            case TurnStarted turn -> started.put(id(turn.meta().turnId()), turn);
            case TurnRevised turn -> messages.put(id(turn.meta().turnId()), Message.text(turn.content()));
            case ToolRequested call
            when ToolSpec.OF_MEMORY.contains(call.name()) ->
                quoting.add(id(call.meta().turnId()));
            case RecollectionChanged change
            when change.recollection().asked() != null ->
                recalled.add(id(change.meta().turnId()));
            default -> {}
        }
    }

    private static UUID id(@Nullable UUID turnId) {
        return Objects.requireNonNull(turnId);
    }

    /** The scopes of the banks of a turn. */
    private List<BankScope> banks(TurnAccepted turn, Definitions definitions) {
        List<BankScope> scopes = definitions
                .agent(turn.agent())
                .or(() -> definitions.agent(Agent.DEFAULT))
                .map(agent -> agent.with(turn.settings()).memory())
                .orElse(List.of());
        boolean personal = turn.user() != null && !everShared;
        boolean agentGone = isGone(turn, definitions);
        List<BankScope> available = scopes.stream()
                .filter(scope -> personal || !OF_A_PERSON.contains(scope))
                .filter(scope -> !agentGone || !OF_AN_AGENT.contains(scope))
                .toList();
        boolean none = turn.parent() != null || scopes.isEmpty() || !available.contains(scopes.getFirst());
        return none ? List.of() : available;
    }

    /** Whether the agent that the turn started with was deleted. */
    private boolean isGone(TurnAccepted turn, Definitions definitions) {
        TurnStarted start = started.get(id(turn.meta().turnId()));
        UUID began = start == null
                ? null
                : definitions
                        .agent(start.agent(), start.agentVersion())
                        .map(Agent::id)
                        .orElse(null);
        return began != null
                && definitions
                        .agent(Objects.requireNonNull(start).agent())
                        .filter(now -> began.equals(now.id()))
                        .isEmpty();
    }

    private void assertBelongsTo(TurnAccepted turn, BankRef bank) {
        assertTrue(bank.user() == null || bank.user().equals(turn.user()), () -> "somebody else's bank: " + bank);
        assertTrue(bank.user() == null || speakers.size() <= 1, () -> "others hear of " + bank);
        assertEquals(turn.meta().host(), bank.host());
        assertTrue(bank.project() == null
                || bank.project().equals(turn.meta().key().project()));
    }

    /** A tool has only the banks of its turn. */
    private void aToolHasTheBanksOfItsTurn(ToolRequest request, Definitions definitions) {
        TurnAccepted turn = accepted.get(request.turnId());
        if (turn == null) { // restoring files belongs to no turn
            assertEquals(List.of(), request.banks());
            return;
        }
        request.banks().forEach(bank -> assertBelongsTo(turn, bank));
        assertEquals(
                banks(turn, definitions),
                request.banks().stream().map(BankRef::scope).toList(),
                () -> "banks of " + request);
    }

    /** A model is called after recall, if the turn has memory, and shown only the recalled text. */
    private void aModelIsCalledAfterRecall(TurnEffect.RequestModel request, Definitions definitions) {
        UUID turnId = id(request.turnId());
        TurnAccepted turn = Objects.requireNonNull(accepted.get(turnId));
        boolean hasMemory = !banks(turn, definitions).isEmpty();
        boolean hasText = !messages.getOrDefault(turnId, "").isBlank();
        assertTrue(!hasMemory || !hasText || recalled.contains(turnId), "a model is asked before memory is");
        if (request.memory() != null) {
            assertTrue(hasMemory, "a turn without memory is reminded");
            assertTrue(
                    found.getOrDefault(turnId, Set.of()).stream()
                            .anyMatch(content -> content.contains(request.memory())),
                    () -> "nobody found " + request.memory());
        }
    }

    /** A turn is retained once, when it is answered, and only in its own bank. */
    private void aTurnIsRetainedOnce(MemoryCommand.Retain retain, Definitions definitions, TurnDecision decisions) {
        UUID turnId = id(retain.turnId());
        TurnAccepted turn = Objects.requireNonNull(accepted.get(turnId));
        assertTrue(remembered.add(turnId), "a turn is remembered twice");
        assertBelongsTo(turn, retain.bank());
        keepers.add(retain.bank());
        assertEquals(banks(turn, definitions).getFirst(), retain.bank().scope());
        assertTrue(
                Objects.requireNonNull(decisions.state().session()).remembered().contains(retain.bank()),
                "the session does not know who remembers it");
        assertNotNull(retain.session());
        assertEquals(Role.USER, retain.sayings().getFirst().role());
        boolean quotes = quoting.contains(turnId);
        assertFalse(
                quotes && retain.sayings().stream().map(Utterance::role).anyMatch(Role.ASSISTANT::equals),
                "memory remembers what it said itself");
    }

    private long turnsToRetain(TurnDecision decisions, Definitions definitions) {
        return decisions.events().stream()
                .filter(event ->
                        event instanceof TurnCompleted completed && completed.finish() != FinishReason.CONTENT_FILTER)
                .map(event ->
                        Objects.requireNonNull(accepted.get(id(event.meta().turnId()))))
                .filter(turn -> !turn.posted() && !banks(turn, definitions).isEmpty())
                .count();
    }

    /** A user's request erases only their own banks; erasing a session reaches every bank that retained part of it. */
    private void retainingBanksForget(TurnInput input, List<MemoryCommand.Forget> forgets) {
        for (MemoryCommand.Forget forget : forgets) {
            switch (forget.what()) {
                case BANK -> {
                    var reset = (TurnCommand.ResetContext) input;
                    assertEquals(TurnCommand.Reset.FORGET, reset.reset());
                    assertNotNull(forget.bank().user());
                    assertEquals(reset.meta().user(), forget.bank().user(), "somebody else's bank is forgotten");
                }
                case SESSION -> assertEquals(TurnCommand.Change.ERASE, ((TurnCommand.ChangeSession) input).change());
                case UNIT, DOCUMENT, TURN -> throw new AssertionError("nobody asked for " + forget);
            }
        }
        if (forgets.stream().anyMatch(forget -> forget.what() == MemoryCommand.Forget.What.SESSION)) {
            var banks = forgets.stream().map(MemoryCommand.Forget::bank).toList();
            assertTrue(banks.containsAll(keepers), () -> keepers + " remember the session, told are " + banks);
            keepers.clear();
        }
    }
}
