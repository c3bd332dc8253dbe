package dev.parley.sessions;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.Definitions;
import dev.parley.domain.definition.Settings;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.permission.PermissionAction;
import dev.parley.domain.permission.PermissionRule;
import dev.parley.domain.permission.RuleLevel;
import dev.parley.domain.protocol.ApprovalAnswer;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.Entry;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.Handoff;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.Opinion;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.ToolStatus;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnCommand.Change;
import dev.parley.domain.protocol.TurnCommand.Reset;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnInput;
import dev.parley.domain.protocol.Usage;
import dev.parley.domain.protocol.origin.Origin;
import dev.parley.domain.session.SessionState;
import dev.parley.domain.turn.DecisionContext;
import dev.parley.domain.turn.TurnDecision;
import dev.parley.domain.turn.TurnEffect;
import dev.parley.domain.turn.TurnMachine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A conversation with the real turn machine, for the events that it leaves. Its clock ticks once an input. */
public final class Chat {
    public static final UUID HOST = Ids.of("host", "default");
    private static final Usage USAGE = new Usage(10, 5, 1, 2, 0, 1_500L);

    private final Map<UUID, Outcome> outcomes = new HashMap<>();
    private final Definitions definitions = new Definitions() {
        @Override
        public List<Agent> agents() {
            return List.of(newAgent("default", "You help."), newAgent("helper", "You help the helper."));
        }

        private Agent newAgent(String name, String prompt) {
            Agent plain = Agent.of(name, "scripted", model, prompt);
            return new Agent(
                            null,
                            name,
                            "",
                            "",
                            plain.mode(),
                            false,
                            "scripted",
                            model,
                            null,
                            prompt,
                            List.of(),
                            List.of(),
                            null,
                            null,
                            null,
                            plain.thinking(),
                            plain.limits(),
                            Map.of(Agent.TRANSCRIBER, "scripted/listener", Agent.MODELS, "scripted/other"),
                            List.of())
                    .withContentVersion();
        }

        @Override
        public Optional<Agent> agent(String name, String version) {
            return Stream.concat(agents().stream(), former.stream())
                    .filter(agent ->
                            agent.name().equals(name) && agent.version().equals(version))
                    .findFirst();
        }

        @Override
        public List<ToolSpec> tools() {
            return List.of(new ToolSpec("add", "Adds", "{}", ToolEffect.IDEMPOTENT, Duration.ofSeconds(30)));
        }

        @Override
        public List<PermissionRule> permissions() {
            return List.of(new PermissionRule(
                    Ids.of("rule"),
                    RuleLevel.HOST,
                    null,
                    PermissionRule.ANY,
                    PermissionRule.EVERYTHING,
                    permission,
                    false,
                    null,
                    null));
        }
    };

    private final RecordKey key;
    private final @Nullable String owner;
    /** Versions that a turn may have started with. */
    private final List<Agent> former = new ArrayList<>();

    private final List<TurnEvent> events = new ArrayList<>();
    private final TreeMap<Long, Message> kept = new TreeMap<>();
    private SessionState state;
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private int commands;
    private PermissionAction permission = PermissionAction.ALLOW;
    private String model = "scripted-1";

    public Chat(String session) {
        this(RecordKey.of(session));
    }

    public Chat(RecordKey key) {
        this(key, null);
    }

    /** @param owner who opens it and says everything; null for nobody, and then for Ada */
    public Chat(RecordKey key, @Nullable String owner) {
        this.key = key;
        this.owner = owner;
        state = SessionState.initial(key);
    }

    public RecordKey key() {
        return key;
    }

    /** All published events. */
    public List<TurnEvent> events() {
        return List.copyOf(events);
    }

    /** What the machine shows the model now. */
    public List<Message> context() {
        return List.copyOf(
                kept.subMap(state.context().from(), state.context().next()).values());
    }

    public UUID sessionId() {
        return state.open().sessionId();
    }

    public UUID turn() {
        return state.running().turnId();
    }

    public SessionState state() {
        return state;
    }

    public Chat at(Instant time) {
        now = time;
        return this;
    }

    /** The agents use this model from the next turn on. */
    public Chat model(String name) {
        former.addAll(definitions.agents());
        model = name;
        return this;
    }

    // ---- users

    public Chat open(@Nullable String title) {
        return input(new TurnCommand.ChangeSession(meta(owner), Change.OPEN, title, null, null, "api", null));
    }

    public Chat rename(String title) {
        return input(new TurnCommand.ChangeSession(meta(owner), Change.RENAME, title, null, null, "api", null));
    }

    public Chat change(Change change) {
        return input(new TurnCommand.ChangeSession(meta(null), change, null, null, null, "api", null));
    }

    public Chat configure(Settings settings) {
        return input(new TurnCommand.ChangeSession(meta(null), Change.CONFIGURE, null, null, settings, "api", null));
    }

    public Chat reset(Reset reset, @Nullable String label) {
        return input(new TurnCommand.ResetContext(meta(null), reset, label));
    }

    /** Answers the pending reversion: the files of the turns are restored. */
    public Chat reverted() {
        var pending = java.util.Objects.requireNonNull(state().reverting());
        return input(new dev.parley.domain.protocol.CallResult.ToolAnswered(
                pending.callId(), pending.attempt(), dev.parley.domain.protocol.ToolStatus.COMPLETED, "{}"));
    }

    public Chat say(String text) {
        return say(MailboxMode.FOLLOWUP, List.of(Block.text(text)));
    }

    public Chat say(MailboxMode mode, List<Block> content) {
        String ref = "m" + ++commands;
        var meta = new CommandMeta(
                key.turnId(Origin.CHANNEL.code(), ref), HOST, now, owner == null ? "ada" : owner, null, null);
        return input(new TurnCommand.SubmitTurn(
                meta, Origin.CHANNEL, ref, mode, null, null, content, "telegram", "648", null, null));
    }

    public Chat revise(UUID turn, List<Block> content) {
        return input(new TurnCommand.ReviseTurn(meta(owner == null ? "ada" : owner), turn, content));
    }

    public Chat rate(UUID turn, String by, Opinion opinion, @Nullable String emoji, @Nullable String reason) {
        return input(new TurnCommand.GiveFeedback(meta(by), turn, opinion, emoji, reason));
    }

    /** A person asks for an operator. */
    public Chat askForOperator(String reason) {
        return input(new TurnCommand.ChangeHandoff(meta("ada"), Handoff.Step.ASK, reason, "", null));
    }

    /** The action on later tool calls. */
    public Chat permitting(PermissionAction action) {
        permission = action;
        return this;
    }

    public Chat decide(ApprovalAnswer answer) {
        UUID approval = state.running().calls().stream()
                .flatMap(call -> Stream.ofNullable(call.approval()))
                .findFirst()
                .orElseThrow()
                .approvalId();
        return input(new TurnCommand.DecideApproval(meta("ada"), approval, answer));
    }

    public Chat cancel() {
        return input(new TurnCommand.CancelTurn(meta(null), null, "stop it"));
    }

    /** The whole context of a fork. */
    public Chat seed(List<Message> messages) {
        UUID turn = Ids.of("turn", key, "seeded");
        return input(new TurnCommand.SeedContext(
                meta(null),
                Ids.of("fork", key),
                RecordKey.of("source"),
                Ids.of("source"),
                null,
                0,
                1,
                null,
                null,
                null,
                messages.stream().map(message -> new Entry(turn, 1, message)).toList()));
    }

    // ---- models and tools

    public Chat answer(String text) {
        return answer(List.of(Block.text(text)), FinishReason.STOP);
    }

    public Chat answer(List<Block> blocks, FinishReason finish) {
        return answer(blocks, finish, USAGE);
    }

    public Chat answer(List<Block> blocks, FinishReason finish, Usage usage) {
        return answer(blocks, finish, usage, "{\"raw\": \"é\\u0000\",  \"n\":" + commands + "}");
    }

    public Chat answer(List<Block> blocks, FinishReason finish, Usage usage, String raw) {
        var call = Objects.requireNonNull(state.running().model());
        return input(new CallResult.ModelAnswered(
                call.callId(), call.attempt(), blocks, finish, usage, "scripted", requestedModel(), raw));
    }

    /** The model of the last request. */
    private String requestedModel() {
        return events.reversed().stream()
                .filter(TurnEvent.ModelRequested.class::isInstance)
                .map(event -> ((TurnEvent.ModelRequested) event).model())
                .findFirst()
                .orElseThrow();
    }

    /** The model calls {@code add} once with each of these arguments. */
    public Chat call(String... arguments) {
        var blocks = new ArrayList<Block>();
        for (int i = 0; i < arguments.length; i++) {
            blocks.add(new Block.ToolCall("call-" + i, "add", arguments[i], null));
        }
        return answer(blocks, FinishReason.TOOL_CALLS);
    }

    /** The model writes a todo list, whose first item is in progress. */
    public Chat todos(String... contents) {
        var todos = new ArrayList<String>();
        for (String content : contents) {
            String status = todos.isEmpty() ? "in_progress" : "pending";
            todos.add("{\"content\":\"%1$s\",\"activeForm\":\"%1$s now\",\"status\":\"%2$s\"}"
                    .formatted(content, status));
        }
        String arguments = "{\"todos\":[" + String.join(",", todos) + "]}";
        return answer(List.of(new Block.ToolCall("todos", "todo_write", arguments, null)), FinishReason.TOOL_CALLS);
    }

    public Chat fail(ErrorCategory category, List<Block> partial) {
        var call = Objects.requireNonNull(state.running().model());
        return input(new CallResult.ModelFailed(
                call.callId(), call.attempt(), category, "status 4xx of the provider", null, partial));
    }

    /** The n-th call of this step is answered. */
    public Chat result(int n, String content) {
        return result(n, ToolStatus.COMPLETED, content);
    }

    public Chat result(int n, ToolStatus status, String content) {
        var call = state.running().calls().get(n);
        return input(new CallResult.ToolAnswered(call.callId(), call.attempt(), status, content));
    }

    /** The n-th call of this step is answered, with files for the person. */
    public Chat result(int n, String content, List<Block.File> files) {
        var call = state.running().calls().get(n);
        return input(new CallResult.ToolAnswered(
                call.callId(), call.attempt(), ToolStatus.COMPLETED, content, files, List.of()));
    }

    /** A whole turn. */
    public Chat turn(String text, String reply) {
        return say(text).answer(reply);
    }

    public Chat input(TurnInput input) {
        now = now.plusMillis(1);
        TurnDecision decisions = TurnMachine.decide(
                state,
                input,
                new DecisionContext(
                        now,
                        definitions,
                        (_, _, _) -> Optional.empty(),
                        (_, _) -> List.of(),
                        (_, _, _) -> Optional.empty(),
                        index -> new Entry(new UUID(0, 0), 0, kept.get(index)),
                        id -> Optional.ofNullable(outcomes.get(id))));
        state = decisions.state();
        for (TurnEffect effect : decisions.effects()) {
            if (effect instanceof TurnEffect.StoreEntry stored) {
                kept.put(stored.index(), stored.entry().message());
            } else if (effect instanceof TurnEffect.StoreOutcome storedOutcome) {
                outcomes.put(storedOutcome.commandId(), storedOutcome.outcome());
            }
        }
        decisions.events().stream().filter(TurnEvent::isPublished).forEach(events::add);
        return this;
    }

    private CommandMeta meta(@Nullable String user) {
        return new CommandMeta(Ids.of("command", key, ++commands), HOST, now, user, null, null);
    }
}
