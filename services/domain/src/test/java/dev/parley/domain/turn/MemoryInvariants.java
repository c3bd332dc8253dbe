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

/** What holds for what a session has to do with memory. The class remembers what came before. */
final class MemoryInvariants {
    private static final Set<BankScope> OF_A_PERSON = Set.of(BankScope.USER, BankScope.USER_AGENT);

    private static final Set<BankScope> OF_AN_AGENT = Set.of(BankScope.AGENT, BankScope.USER_AGENT);

    private final Map<UUID, TurnAccepted> accepted = new HashMap<>();
    private final Map<UUID, String> said = new HashMap<>();
    private final Map<UUID, TurnStarted> started = new HashMap<>();
    /** Who spoke in the session as it is now; somebody unknown has no bank and shares none. */
    private final Set<String> speakers = new HashSet<>();

    private final Set<UUID> asked = new HashSet<>();
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
        for (Effect effect : decisions.effects()) {
            switch (effect) {
                case Effect.RequestTool ask -> aToolHasTheBanksOfItsTurn(ask.request(), definitions);
                case Effect.RequestModel ask
                when ask.purpose() == ModelRequest.Purpose.REPLY -> aModelIsAskedAfterMemory(ask, definitions);
                case Effect.SendBankCommand ask -> {
                    if (ask.command() instanceof MemoryCommand.Retain retain) {
                        retained++;
                        whatATurnSaidIsRememberedOnce(retain, definitions, decisions);
                    } else {
                        forgets.add((MemoryCommand.Forget) ask.command());
                    }
                }
                default -> {}
            }
        }
        whoRemembersForgets(input, forgets);
        assertEquals(toRemember(decisions, definitions), retained, "turns that ended and those that are remembered");
    }

    /** Checks what rests in the store after a decision. */
    static void checkRest(SessionState state, Instant now) {
        ActiveTurn turn = state.active();
        if (turn != null && turn.recollection().asked() != null) {
            Instant until = turn.recollection().asked().deadline();
            assertFalse(until.isAfter(now.plus(MemorySteps.RECALL_TIMEOUT)), "memory is waited for too long");
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
                said.put(id(turn.meta().turnId()), Message.text(turn.content()));
                if (turn.user() != null) {
                    speakers.add(turn.user());
                    everShared |= !turn.user().equals(opener);
                }
            }
            case TurnStarted turn -> started.put(id(turn.meta().turnId()), turn);
            case TurnRevised turn -> said.put(id(turn.meta().turnId()), Message.text(turn.content()));
            case ToolRequested call
            when ToolSpec.OF_MEMORY.contains(call.name()) ->
                quoting.add(id(call.meta().turnId()));
            case RecollectionChanged change
            when change.recollection().asked() != null ->
                asked.add(id(change.meta().turnId()));
            default -> {}
        }
    }

    private static UUID id(@Nullable UUID turnId) {
        return Objects.requireNonNull(turnId);
    }

    /** The banks that a turn has, by what they are of. */
    private List<BankScope> banks(TurnAccepted turn, Definitions definitions) {
        List<BankScope> scopes = definitions
                .agent(turn.agent())
                .or(() -> definitions.agent(Agent.DEFAULT))
                .map(agent -> agent.with(turn.settings()).memory())
                .orElse(List.of());
        boolean own = turn.user() != null && !everShared;
        boolean ended = isGone(turn, definitions);
        List<BankScope> there = scopes.stream()
                .filter(scope -> own || !OF_A_PERSON.contains(scope))
                .filter(scope -> !ended || !OF_AN_AGENT.contains(scope))
                .toList();
        boolean none = turn.parent() != null || scopes.isEmpty() || !there.contains(scopes.getFirst());
        return none ? List.of() : there;
    }

    /** Whether the agent that the turn began with was deleted. */
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

    private void isOf(TurnAccepted turn, BankRef bank) {
        assertTrue(bank.user() == null || bank.user().equals(turn.user()), () -> "somebody else's bank: " + bank);
        assertTrue(bank.user() == null || speakers.size() <= 1, () -> "others hear of " + bank);
        assertEquals(turn.meta().host(), bank.host());
        assertTrue(bank.project() == null
                || bank.project().equals(turn.meta().key().project()));
    }

    /** No tool sees a bank that its turn has not. */
    private void aToolHasTheBanksOfItsTurn(ToolRequest request, Definitions definitions) {
        TurnAccepted turn = accepted.get(request.turnId());
        if (turn == null) { // files are put back for no turn
            assertEquals(List.of(), request.banks());
            return;
        }
        request.banks().forEach(bank -> isOf(turn, bank));
        assertEquals(
                banks(turn, definitions),
                request.banks().stream().map(BankRef::scope).toList(),
                () -> "banks of " + request);
    }

    /** A model is asked when memory was, where there is any, and shown nothing else than what memory said. */
    private void aModelIsAskedAfterMemory(Effect.RequestModel ask, Definitions definitions) {
        UUID turnId = id(ask.turnId());
        TurnAccepted turn = Objects.requireNonNull(accepted.get(turnId));
        boolean has = !banks(turn, definitions).isEmpty();
        boolean says = !said.getOrDefault(turnId, "").isBlank();
        assertTrue(!has || !says || asked.contains(turnId), "a model is asked before memory is");
        if (ask.memory() != null) {
            assertTrue(has, "a turn without memory is reminded");
            assertTrue(
                    found.getOrDefault(turnId, Set.of()).stream().anyMatch(said -> said.contains(ask.memory())),
                    () -> "nobody found " + ask.memory());
        }
    }

    /** What was said is remembered when the turn is answered, once, where it may be. */
    private void whatATurnSaidIsRememberedOnce(
            MemoryCommand.Retain retain, Definitions definitions, TurnDecision decisions) {
        UUID turnId = id(retain.turnId());
        TurnAccepted turn = Objects.requireNonNull(accepted.get(turnId));
        assertTrue(remembered.add(turnId), "a turn is remembered twice");
        isOf(turn, retain.bank());
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

    private long toRemember(TurnDecision decisions, Definitions definitions) {
        return decisions.events().stream()
                .filter(event -> event instanceof TurnCompleted done && done.finish() != FinishReason.CONTENT_FILTER)
                .map(event ->
                        Objects.requireNonNull(accepted.get(id(event.meta().turnId()))))
                .filter(turn -> !banks(turn, definitions).isEmpty())
                .count();
    }

    /** Whoever wants to be forgotten is in the banks that are theirs alone; an erased session in all that remember something of it. */
    private void whoRemembersForgets(TurnInput input, List<MemoryCommand.Forget> forgets) {
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
            var told = forgets.stream().map(MemoryCommand.Forget::bank).toList();
            assertTrue(told.containsAll(keepers), () -> keepers + " remember the session, told are " + told);
            keepers.clear();
        }
    }
}
