package dev.parley.domain.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.Ids;
import dev.parley.domain.Names;
import dev.parley.domain.RecordKey;
import dev.parley.domain.content.Block;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.AgentMode;
import dev.parley.domain.definition.Definitions;
import dev.parley.domain.definition.DefinitionsAround;
import dev.parley.domain.permission.PermissionAction;
import dev.parley.domain.permission.PermissionRule;
import dev.parley.domain.permission.RuleLevel;
import dev.parley.domain.protocol.ApprovalAnswer;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.Handoff;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.Opinion;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.Overheard;
import dev.parley.domain.protocol.SessionStatus;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnCommand.*;
import dev.parley.domain.protocol.TurnEvent.SessionChanged;
import dev.parley.domain.protocol.TurnEvent.SessionOpened;
import dev.parley.domain.protocol.TurnEvent.TurnCancelled;
import dev.parley.domain.protocol.origin.Actor;
import dev.parley.domain.protocol.origin.ActorKind;
import dev.parley.domain.protocol.origin.Origin;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionState;
import dev.parley.domain.turn.SessionOwnership.Verdict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Mallory may create sessions, but not those of others. Ann has the account {@code ann}; {@code deskbot} is a bot. */
class SessionOwnershipTest {
    private static final UUID HOST = Ids.of("host");
    private static final UUID PROCESS = Ids.of("process");
    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    private static final Actor MALLORY = Actor.person("mallory");
    private static final Actor ANN = Actor.person("ann's id");
    private static final Actor DESKBOT = Actor.bot("deskbot");
    private static final Definitions DEFINITIONS = new Named(new FixedDefinitions(
            List.of(
                    FixedDefinitions.agent(Agent.DEFAULT, AgentMode.ALL, FixedDefinitions.LIMITS),
                    FixedDefinitions.agent("researcher", AgentMode.ALL, FixedDefinitions.LIMITS)),
            List.of()));

    private SessionState state = SessionState.initial(RecordKey.of("deskbot:C1"));
    private List<TurnEffect> effects = List.of();
    private int commands;

    private record Named(Definitions there) implements DefinitionsAround {
        @Override
        public List<Agent> agents() {
            return there.agents();
        }

        @Override
        public Set<String> bots() {
            return Set.of("deskbot", "team");
        }

        @Override
        public Optional<String> account(String username) {
            return username.equals("ann") ? Optional.of(ANN.name()) : Optional.empty();
        }
    }

    private CommandMeta meta(Actor actor) {
        String user = actor.isService() ? "telegram:7" : actor.name();
        return new CommandMeta(Ids.of("command", ++commands), HOST, NOW, user, 1, null).by(actor);
    }

    private SubmitTurn says(Actor actor) {
        return new SubmitTurn(
                meta(actor),
                actor.kind() == ActorKind.BOT ? Origin.CHANNEL : Origin.API,
                "ref " + commands,
                MailboxMode.FOLLOWUP,
                null,
                null,
                List.of(Block.text("hi")),
                actor.kind() == ActorKind.BOT ? "telegram" : "api",
                null,
                null,
                null);
    }

    private ChangeSession changes(Actor actor, Change change) {
        return new ChangeSession(meta(actor), change, null, null, null, "api", null);
    }

    private SeedContext seeds(Actor actor, RecordKey source) {
        return seeds(actor, source, false);
    }

    private SeedContext seeds(Actor actor, RecordKey source, boolean forOwner) {
        UUID id = Ids.of("fork", ++commands);
        return new SeedContext(
                meta(actor).of(id, NOW), id, source, Ids.of("x"), null, 0, 1, null, null, null, List.of(), forOwner);
    }

    /** A command of each kind; a new kind without a line fails. */
    private Stream<TurnCommand> commands(RecordKey key, Actor actor) {
        var all = new ArrayList<TurnCommand>();
        for (Class<?> type : TurnCommand.class.getPermittedSubclasses()) {
            all.addAll(
                    switch (type.getSimpleName()) {
                        case "SubmitTurn" -> List.of(says(actor));
                        case "ReviseTurn" -> List.of(new ReviseTurn(meta(actor), HOST, List.of(Block.text("x"))));
                        case "CancelTurn" -> List.of(new CancelTurn(meta(actor), null, "x"));
                        case "DecideApproval" ->
                            List.of(new DecideApproval(meta(actor), HOST, ApprovalAnswer.values()[0]));
                        case "AnswerCall" -> List.of(new AnswerCall(meta(actor), HOST, "x", false));
                        case "GiveFeedback" -> List.of(new GiveFeedback(meta(actor), HOST, Opinion.GOOD, null, null));
                        case "ChangeHandoff" ->
                            Stream.of(Handoff.Step.values())
                                    .<TurnCommand>map(
                                            step -> new TurnCommand.ChangeHandoff(meta(actor), step, "", "x", null))
                                    .toList();
                        case "ListCalls" -> List.of(new ListCalls(meta(actor)));
                        case "Overhear" -> List.of(new Overhear(meta(actor), new Overheard("1", "x", "x", NOW)));
                        case "ListTodos" -> List.of(new ListTodos(meta(actor)));
                        case "ListReminders" -> List.of(new TurnCommand.ListReminders(meta(actor)));
                        case "CancelReminder" -> List.of(new TurnCommand.CancelReminder(meta(actor), HOST));
                        case "RefuseReminder" -> List.of(new TurnCommand.RefuseReminder(meta(actor), HOST, NOW, "x"));
                        case "SetQuietHours" -> List.of(new TurnCommand.SetQuietHours(meta(actor), null));
                        case "SetPermissions" -> List.of(new SetPermissions(meta(actor), List.of()));
                        case "ResetContext" ->
                            Stream.of(Reset.values())
                                    .map(reset -> new ResetContext(meta(actor), reset, "x"))
                                    .toList();
                        case "ChangeSession" ->
                            Stream.of(Change.values())
                                    .map(change -> changes(actor, change))
                                    .toList();
                        case "ForkSession" -> List.of(new ForkSession(meta(actor), RecordKey.of("copy"), null));
                        case "SeedContext" -> List.of(seeds(actor, RecordKey.of("mine")), seeds(actor, key));
                        case "ImportSession" -> List.<TurnCommand>of();
                        default -> throw new AssertionError(type + " needs a line here: may it open a session?");
                    });
        }
        return all.stream();
    }

    private void take(TurnCommand command) {
        TurnDecision decision = TurnMachine.decide(
                state,
                command,
                new DecisionContext(
                        NOW,
                        DEFINITIONS,
                        (_, text, _) -> Optional.of(text),
                        (_, _) -> List.of(),
                        (_, _, _) -> Optional.empty(),
                        _ -> {
                            throw new AssertionError("no entry is read");
                        },
                        _ -> Optional.empty()));
        SessionState evolved = state;
        for (var event : decision.events()) {
            evolved = TurnMachine.evolve(evolved, event);
        }
        assertEquals(evolved, decision.state(), "the state follows from the events");
        state = decision.state();
        effects = decision.effects();
        events.addAll(decision.events());
    }

    private final List<dev.parley.domain.protocol.TurnEvent> events = new ArrayList<>();

    private @Nullable String refusal() {
        return effects.stream()
                .filter(TurnEffect.SendOutcome.class::isInstance)
                .map(effect -> ((TurnEffect.SendOutcome) effect).outcome())
                .filter(Outcome.Refused.class::isInstance)
                .map(outcome -> ((Outcome.Refused) outcome).code())
                .findFirst()
                .orElse(null);
    }

    private static final List<String> RESERVED = List.of(
            "deskbot:C1",
            "DeskBot:C1",
            "deskb\u043et:C1",
            "desk\u200bbot:C1",
            "\uff44eskbot\uff1aC1",
            "deskbot:C1:delegate:researcher",
            "x:delegate:y",
            "x:DELEGATE:y",
            "x:delegate:y:delegate:z",
            "workflow:" + PROCESS + ":default",
            "WORKFLOW:" + PROCESS + ":default",
            "workflow:x",
            "schedule:daily:1",
            "cli:ann",
            "CLI:Ann");

    static Stream<String> reserved() {
        return RESERVED.stream();
    }

    @ParameterizedTest
    @MethodSource("reserved")
    @Tag("B10")
    void noCommandOfAPersonOpensAKeyOfAnother(String session) {
        RecordKey key = RecordKey.of(session);
        for (Actor person : List.of(MALLORY, Actor.OPERATOR, Actor.UNKNOWN)) {
            commands(key, person).forEach(command -> {
                state = SessionState.initial(key);
                take(command);
                assertNull(state.session(), command + " opened " + session);
            });
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"demo", "team", "team2:1", "cli", "cli:root", "workflows:1", "a:b:c", "delegate:x", "\u00fcber:1"
            })
    @Tag("B11")
    void everyOtherKeyIsFree(String session) {
        state = SessionState.initial(RecordKey.of(session));

        take(says(MALLORY));

        assertEquals(MALLORY, state.open().owner());
        assertEquals("mallory", state.open().user());
    }

    @Test
    @Tag("B10")
    void ownersOpenTheirOwnSpaceOnly() {
        RecordKey parent = RecordKey.of("x");
        var owners = List.of(
                List.of("deskbot:C1", DESKBOT),
                List.of("newbot:C1", Actor.bot("newbot")),
                List.of("x:delegate:y", Actor.delegate(parent)),
                List.of("x:delegate:y~1", Actor.delegate(parent, 3)),
                List.of("workflow:" + PROCESS + ":default", Actor.process(PROCESS)),
                List.of("schedule:daily:1", Actor.schedule("daily")),
                List.of("cli:ann", ANN));
        for (List<?> row : owners) {
            for (List<?> other : owners) {
                state = SessionState.initial(RecordKey.of((String) row.getFirst()));
                take(says((Actor) other.getLast()));
                boolean isFree = row.getFirst().equals("newbot:C1") && other.getLast() == ANN; // no bot of that name
                boolean opens = isFree
                        || row.equals(other)
                        || row.getFirst().toString().contains(":delegate:")
                                && ((Actor) other.getLast()).isDelegateOf(parent);
                assertEquals(opens, state.session() != null, other.getLast() + " at " + row.getFirst());
            }
        }
    }

    private void squatted() {
        // from before the update: a record without an owner
        var meta = new dev.parley.domain.protocol.EventMeta(
                HOST, state.key(), state.key().sessionId(0), 0, 1, null, NOW);
        state = TurnMachine.evolve(
                state,
                new SessionOpened(meta, "api", null, "researcher", null, null, 0, "mine", "mallory", Actor.UNKNOWN));
        take(says(MALLORY));
        take(new SetPermissions(
                meta(MALLORY),
                List.of(new PermissionRule(
                        Ids.of("rule"),
                        RuleLevel.SESSION,
                        null,
                        PermissionRule.ANY,
                        PermissionRule.EVERYTHING,
                        PermissionAction.ALLOW,
                        false,
                        null,
                        null))));
        take(says(MALLORY));
        events.clear();
    }

    @Test
    @Tag("B12")
    void botRefusesTheSessionOfAPersonAndOpensTheNext() {
        // Given
        squatted();
        Session former = state.open();
        assertFalse(former.permissions().isEmpty());

        // When
        take(says(DESKBOT));

        // Then
        Session session = state.open();
        assertEquals(DESKBOT, session.owner());
        assertEquals(former.epoch() + 1, session.epoch());
        assertEquals("telegram:7", session.user());
        assertEquals(Agent.DEFAULT, session.agent());
        assertEquals(List.of(), session.permissions());
        assertEquals(List.of(), session.remembered());
        assertFalse(session.shared());
        assertNull(session.settings());
        assertEquals(session.epoch(), session.since());
        assertEquals(1, state.running().turn().seq());
        assertEquals(2, events.stream().filter(TurnCancelled.class::isInstance).count());
        assertEquals(
                SessionStatus.ARCHIVED,
                events.stream()
                        .filter(SessionChanged.class::isInstance)
                        .map(event -> ((SessionChanged) event).status())
                        .findFirst()
                        .orElseThrow());
        var reports = effects.stream()
                .filter(TurnEffect.ReportTakeOver.class::isInstance)
                .map(TurnEffect.ReportTakeOver.class::cast)
                .toList();
        assertEquals(1, reports.size());
        assertEquals(former.sessionId().toString(), reports.getFirst().entry().subject());
        assertEquals(MALLORY, reports.getFirst().former());

        // And the one who was there gets nothing of it
        commands(state.key(), MALLORY).forEach(command -> {
            SessionState before = state;
            take(command instanceof SubmitTurn submit ? limited(submit) : command);
            if (command instanceof SubmitTurn) {
                assertEquals("unknown_session", refusal());
                assertEquals(before, state);
            }
            state = before;
        });
    }

    private static SubmitTurn limited(SubmitTurn submit) {
        return new SubmitTurn(
                submit.meta().toOwn(),
                submit.origin(),
                submit.originRef(),
                submit.mode(),
                null,
                null,
                submit.content(),
                submit.channel(),
                null,
                null,
                null);
    }

    @Test
    @Tag("B12")
    void otherCommandsOfTheOwnerFindNoSessionOfSomebodyElse() {
        squatted();
        SessionState before = state;

        commands(state.key(), DESKBOT)
                .filter(command -> !(command instanceof SubmitTurn))
                .filter(command -> !(command instanceof ChangeSession change && change.change() == Change.ERASE))
                .forEach(command -> {
                    take(command);
                    assertEquals("unknown_session", refusal(), command.toString());
                    assertEquals(before, state, command.toString());
                });
    }

    @Test
    @Tag("B12")
    void noProcessUsesTheSessionThatAPersonHasInTheSpaceOfABot() {
        squatted();
        SessionState before = state;

        take(says(Actor.process(PROCESS)));

        assertEquals("unknown_session", refusal());
        assertEquals(before, state);

        // And it writes to that of the bot
        take(says(DESKBOT));
        take(says(Actor.process(PROCESS)));
        assertEquals(1, state.queue().size());
    }

    @Test
    @Tag("B12")
    void delegatesOfANewOwnerAreNotThoseOfTheFormer() {
        // Given a delegate of the former owner
        RecordKey parent = state.key();
        state = SessionState.initial(parent.delegate("researcher", 0));
        take(says(Actor.delegate(parent)));
        long epoch = state.open().epoch();

        // When
        take(says(Actor.delegate(parent, 1)));

        // Then
        assertEquals(epoch + 1, state.open().epoch());

        // And it stays
        take(says(Actor.delegate(parent, 1)));
        assertEquals(epoch + 1, state.open().epoch());
    }

    @Test
    @Tag("B13")
    void sessionsOfBotsFromBeforeTheUpdateStayTheirs() {
        for (String channel : List.of("telegram", "slack", "discord", "whatsapp", "webhook", "of a plug-in")) {
            RecordKey key = RecordKey.of("deskbot:C1");
            var meta = new dev.parley.domain.protocol.EventMeta(HOST, key, key.sessionId(0), 0, 1, null, NOW);
            state = TurnMachine.evolve(
                    SessionState.initial(key),
                    new SessionOpened(meta, channel, null, "default", null, null, 0, null, "tg:1", Actor.UNKNOWN));

            take(says(DESKBOT));

            assertEquals(0, state.open().epoch());
            assertEquals(1, state.open().turns());
        }
    }

    @Test
    @Tag("B13")
    void anAdministratorsImportIsMadeForTheBot() {
        take(seeds(Actor.OPERATOR, state.key(), true));
        assertEquals(DESKBOT, state.open().owner());
        assertNull(state.open().user());

        take(says(DESKBOT));
        assertEquals(0, state.open().epoch());
    }

    @Test
    @Tag("B14")
    void aPersonTakesTheirTerminalBack() {
        // Given
        state = SessionState.initial(RecordKey.of("cli:ann"));
        squatted();

        // When
        take(limited(says(ANN)));

        // Then
        assertEquals(ANN, state.open().owner());
        assertEquals(1, state.open().epoch());
    }

    @Test
    @Tag("B14")
    void theOperatorsTerminalIsNotTaken() {
        state = SessionState.initial(RecordKey.of("cli:root"));
        take(says(Actor.OPERATOR));

        take(says(ANN));

        assertEquals(0, state.open().epoch());
    }

    @Test
    @Tag("B10")
    void whatAServiceHadIsOpenedByNobodyElse() {
        state = SessionState.initial(RecordKey.of("gone:C1"));
        take(says(Actor.bot("gone")));
        take(changes(Actor.OPERATOR, Change.DELETE));

        take(says(MALLORY));
        assertEquals("unknown_session", refusal());
        assertFalse(state.exists());

        take(says(Actor.bot("gone")));
        assertEquals(1, state.open().epoch());
        assertEquals(0, state.open().since());
    }

    @Test
    @Tag("B10")
    void refusalIsTheSameWhetherThereIsASessionOrNot() {
        take(limited(says(MALLORY)));
        List<TurnEffect> without = effects;
        take(says(DESKBOT));

        take(limited(says(MALLORY)));

        assertEquals(message(without), message(effects));
    }

    private static String message(List<TurnEffect> effects) {
        return effects.stream()
                .filter(TurnEffect.SendOutcome.class::isInstance)
                .map(effect -> ((Outcome.Refused) ((TurnEffect.SendOutcome) effect).outcome()).message())
                .findFirst()
                .orElseThrow();
    }

    /** Whatever is sent in whatever order: a session that a service uses is its own, and nothing is carried over. */
    @Test
    @Tag("B12")
    void randomSequencesNeverMixOwners() {
        var actors = List.of(MALLORY, ANN, Actor.OPERATOR, DESKBOT, Actor.bot("team"), Actor.process(PROCESS));
        for (int seed = 0; seed < 300; seed++) {
            var random = new Random(seed);
            var keys = List.of("deskbot:C1", "team:1", "cli:ann", "demo", "workflow:" + PROCESS + ":default");
            state = SessionState.initial(RecordKey.of(keys.get(random.nextInt(keys.size()))));
            events.clear();
            for (int i = 0; i < 30; i++) {
                Actor actor = actors.get(random.nextInt(actors.size()));
                var all = commands(state.key(), actor)
                        .filter(command -> !(command instanceof ForkSession))
                        .toList();
                SessionState before = state;
                TurnCommand command = all.get(random.nextInt(all.size()));
                take(command);
                check(before, command, actor, "seed " + seed + ", step " + i);
            }
            var opened = events.stream().filter(SessionOpened.class::isInstance).toList();
            assertEquals(
                    opened.size(),
                    new HashSet<>(opened.stream().map(e -> e.meta().epoch()).toList()).size());
        }
    }

    private void check(SessionState before, TurnCommand command, Actor actor, String where) {
        boolean opened = state.session() != null
                && (before.session() == null
                        || state.open().epoch() != before.open().epoch());
        if (!opened) {
            return;
        }
        Session session = state.open();
        boolean isReset = command instanceof ResetContext;
        assertTrue(isReset || session.owner().equals(actor) || !session.owner().isService(), where);
        KeySpaces.owner(state.key(), DEFINITIONS)
                .ifPresent(owner -> assertTrue(isReset || owner.equals(session.owner()), where));
        if (before.session() != null && !before.open().ownedBy(state.key()).equals(session.owner())) {
            assertEquals(session.epoch(), session.since(), where);
            assertEquals(List.of(), session.permissions(), where);
            assertNotEquals(before.open().sessionId(), session.sessionId(), where);
        }
    }

    @Test
    void verdictsAreOfOneFunction() {
        take(says(DESKBOT));
        assertEquals(Verdict.ALLOWED, SessionOwnership.decide(state, says(MALLORY), DEFINITIONS));
        assertEquals(Verdict.ALLOWED, SessionOwnership.decide(state, says(DESKBOT), DEFINITIONS));
    }

    @Test
    void textsThatLookAlikeHaveTheSameFold() {
        assertEquals("deskbot:c1", Names.fold("D\u0435skb\u043et\u2236C1"));
        assertEquals("a", Names.fold("\u202ea\ufe0f"));
        assertNotEquals(Names.fold("uber"), Names.fold("\u00fcber"));
    }
}
