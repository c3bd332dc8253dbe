package dev.parley.domain.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.Role;
import dev.parley.domain.content.Todo;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.AgentMode;
import dev.parley.domain.definition.Guardrail;
import dev.parley.domain.definition.Settings;
import dev.parley.domain.definition.ToolChoice;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.permission.PermissionRule;
import dev.parley.domain.protocol.CallResult.*;
import dev.parley.domain.protocol.CallerCall;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.Entry;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.PendingApproval;
import dev.parley.domain.protocol.Reply;
import dev.parley.domain.protocol.ToolRequest;
import dev.parley.domain.protocol.ToolStatus;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnCommand.*;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnInput;
import dev.parley.domain.protocol.Usage;
import dev.parley.domain.protocol.origin.Origin;
import dev.parley.domain.protocol.origin.ReplyAddress;
import dev.parley.domain.session.QueuedTurn;
import dev.parley.domain.session.SessionState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A conversation with a session and its delegates. Every decision is checked against the {@link Invariants}; what
 * sessions send each other arrives at once; the clock stands still until a test advances it.
 */
final class SessionFixture {
    static final UUID HOST = Ids.of("host");
    private static final Usage USAGE = new Usage(60, 40, 0, 0, 0, 30L);
    private static final int PARTITION = 1;

    private final World world;
    private final StoredSession session;
    private final List<TurnEvent> events = new ArrayList<>();
    private final List<TurnEffect> effects = new ArrayList<>();

    /** The clock, definitions and sessions that a conversation shares. */
    private static final class World {
        private final Map<RecordKey, SessionFixture> sessions = new HashMap<>();
        private FixedDefinitions definitions = new FixedDefinitions(
                List.of(agent(Agent.DEFAULT), agent("alpha"), agent("beta"), agent("gamma"), agent("delta")),
                List.of(FixedDefinitions.toolNamed("search"), FixedDefinitions.toolNamed("write")));
        private Instant now = Instant.parse("2030-01-01T00:00:00Z");
        private int commands;
    }

    private static Agent agent(String name) {
        return FixedDefinitions.agent(name, AgentMode.ALL, FixedDefinitions.LIMITS);
    }

    SessionFixture() {
        this(new World(), RecordKey.of("web:1"));
    }

    private SessionFixture(World world, RecordKey key) {
        this.world = world;
        this.session = new StoredSession(key);
        world.sessions.put(key, this);
    }

    // ---- definitions and time

    /** Sets the limits of every agent. */
    SessionFixture limitedTo(Agent.Limits limits) {
        for (Agent agent : world.definitions.agents()) {
            world.definitions = world.definitions.with(FixedDefinitions.agent(agent.name(), agent.mode(), limits));
        }
        return this;
    }

    void agentIs(Agent agent) {
        world.definitions = world.definitions.with(agent);
    }

    /** Sets the guardrails of the agents. */
    SessionFixture guardedBy(Guardrail... rails) {
        for (Agent agent : world.definitions.agents()) {
            world.definitions =
                    world.definitions.with(FixedDefinitions.agent(agent.name(), agent.mode(), agent.limits())
                            .withLeadingGuardrails(List.of(rails)));
        }
        return this;
    }

    /** Replaces the permission rules. */
    void permits(PermissionRule... rules) {
        world.definitions = world.definitions.permitting(rules);
    }

    /** Adds a tool. */
    void offers(String tool) {
        world.definitions = world.definitions.with(FixedDefinitions.toolNamed(tool));
    }

    void definitions(UnaryOperator<FixedDefinitions> change) {
        world.definitions = change.apply(world.definitions);
    }

    void agentIsGone(String name) {
        world.definitions = world.definitions.without(name);
    }

    /** Marks a project or user as erased. */
    void isErased(String projectOrUser) {
        world.definitions = world.definitions.withErased(projectOrUser);
    }

    /** Advances the clock; timers fire when they are due. */
    void after(Duration time) {
        Instant end = world.now.plus(time);
        var next = nextDue();
        while (next.isPresent() && !next.get().isAfter(end)) {
            world.now = next.get();
            List.copyOf(world.sessions.values()).forEach(other -> other.take(new TurnInput.Tick()));
            next = nextDue();
        }
        world.now = end;
    }

    /** Advances the clock at once, as after a pause of the process or a step of the clock, without firing timers. */
    void jumps(Duration time) {
        world.now = world.now.plus(time);
    }

    private java.util.Optional<Instant> nextDue() {
        return world.sessions.values().stream()
                .flatMap(other -> TurnMachine.nextDue(other.state()).stream())
                .min(Instant::compareTo);
    }

    /** The session with this key in the same conversation. */
    SessionFixture other(String key) {
        RecordKey other = RecordKey.of(key);
        return world.sessions.containsKey(other) ? world.sessions.get(other) : new SessionFixture(world, other);
    }

    SessionFixture child(String agent) {
        return other(session.key().session() + ":delegate:" + agent);
    }

    // ---- people

    UUID says(String text) {
        return says(text, MailboxMode.FOLLOWUP);
    }

    /** Submits a turn whose origin is not a channel. */
    UUID saysOf(Origin origin, String text) {
        return saysOf(origin, text, null);
    }

    UUID saysOf(Origin origin, String text, @Nullable Settings settings) {
        String ref = "message " + ++world.commands;
        return takes(new SubmitTurn(
                meta(session.key().turnId(origin.code(), ref)),
                origin,
                ref,
                MailboxMode.FOLLOWUP,
                null,
                settings,
                List.of(Block.text(text)),
                origin.code(),
                null,
                null,
                null));
    }

    UUID says(String text, MailboxMode mode) {
        return takes(message(text, mode, null));
    }

    UUID saysTo(String agent, String text, MailboxMode mode) {
        return takes(message(text, mode, agent));
    }

    SubmitTurn message(String text, MailboxMode mode, @Nullable String agent) {
        return message(List.of(Block.text(text)), mode, agent, null);
    }

    /** Submits a message of these blocks. */
    UUID says(MailboxMode mode, Block... blocks) {
        return takes(message(List.of(blocks), mode, null, null));
    }

    /** Requests another answer instead of this one. */
    UUID retries(UUID answer) {
        SubmitTurn none = message(List.of(), MailboxMode.FOLLOWUP, null, null);
        return takes(new SubmitTurn(
                none.meta(),
                none.origin(),
                none.originRef(),
                none.mode(),
                null,
                null,
                List.of(),
                none.channel(),
                null,
                none.replyTo(),
                null,
                false,
                answer,
                List.of()));
    }

    /** Submits a message with these settings. */
    UUID says(String text, Settings settings) {
        return takes(message(List.of(Block.text(text)), MailboxMode.FOLLOWUP, null, settings));
    }

    /** Submits a message with callers' tools. */
    UUID saysWith(String text, ToolSpec... tools) {
        return saysWith(text, MailboxMode.FOLLOWUP, null, tools);
    }

    UUID saysWith(String text, MailboxMode mode, ToolSpec... tools) {
        return saysWith(text, mode, null, tools);
    }

    UUID saysWith(String text, Settings settings, ToolSpec... tools) {
        return saysWith(text, MailboxMode.FOLLOWUP, settings, tools);
    }

    private UUID saysWith(String text, MailboxMode mode, @Nullable Settings settings, ToolSpec... tools) {
        SubmitTurn submit = message(List.of(Block.text(text)), mode, null, settings);
        return takes(new SubmitTurn(
                submit.meta(),
                submit.origin(),
                submit.originRef(),
                mode,
                null,
                settings,
                submit.content(),
                submit.channel(),
                null,
                submit.replyTo(),
                null,
                false,
                null,
                List.of(tools)));
    }

    private SubmitTurn message(
            List<Block> content, MailboxMode mode, @Nullable String agent, @Nullable Settings settings) {
        String ref = "message " + ++world.commands;
        UUID turnId = session.key().turnId(Origin.CHANNEL.code(), ref);
        return new SubmitTurn(
                meta(turnId),
                Origin.CHANNEL,
                ref,
                mode,
                agent,
                settings,
                content,
                "web",
                null,
                new ReplyAddress("bot", "chat", null, null),
                null);
    }

    /** Submits a message of another user. */
    UUID othersSay(String text, MailboxMode mode) {
        SubmitTurn submit = message(text, mode, null);
        CommandMeta meta = submit.meta();
        return takes(new SubmitTurn(
                new CommandMeta(meta.commandId(), HOST, world.now, "bob", PARTITION, null),
                submit.origin(),
                submit.originRef(),
                mode,
                null,
                null,
                submit.content(),
                submit.channel(),
                null,
                submit.replyTo(),
                null));
    }

    /** Revises a message as another user. */
    UUID othersRevise(UUID turn, String text) {
        UUID id = Ids.of("command", ++world.commands);
        return takes(new ReviseTurn(
                new CommandMeta(id, HOST, world.now, "bob", PARTITION, null), turn, List.of(Block.text(text))));
    }

    UUID cancels(@Nullable UUID turnId) {
        return takes(new CancelTurn(newMeta(), turnId, "enough"));
    }

    UUID resets(Reset reset) {
        return resets(reset, null);
    }

    UUID resets(Reset reset, @Nullable String label) {
        return takes(new ResetContext(newMeta(), reset, label));
    }

    UUID changes(Change change) {
        return takes(new ChangeSession(newMeta(), change, null, null, null, "web", null));
    }

    UUID configures(Settings settings) {
        return takes(new ChangeSession(newMeta(), Change.CONFIGURE, null, null, settings, "web", null));
    }

    /** Queries the agent's todos. */
    List<Todo> todosTold() {
        UUID id = takes(new ListTodos(newMeta()));
        return ((Outcome.TodosListed) told(id).getFirst()).todos();
    }

    /** Queries the calls that wait for the caller. */
    List<CallerCall> callsTold() {
        UUID id = takes(new ListCalls(newMeta()));
        return ((Outcome.CallsListed) told(id).getFirst()).calls();
    }

    /** Queries the pending approvals. */
    List<PendingApproval> approvalsTold() {
        UUID id = takes(new ListCalls(newMeta()));
        return ((Outcome.CallsListed) told(id).getFirst()).approvals();
    }

    UUID forksTo(SessionFixture target) {
        return takes(new ForkSession(newMeta(), target.session.key(), null));
    }

    UUID forksTo(SessionFixture target, UUID upTo) {
        return takes(new ForkSession(newMeta(), target.session.key(), null, upTo));
    }

    CommandMeta newMeta() {
        return meta(Ids.of("command", ++world.commands));
    }

    private CommandMeta meta(UUID id) {
        return new CommandMeta(id, HOST, world.now, "ann", PARTITION, null);
    }

    UUID takes(TurnCommand command) {
        take(command);
        return command.meta().commandId();
    }

    // ---- workers

    void modelAnswers(String text) {
        modelAnswers(FinishReason.STOP, Block.text(text));
    }

    void modelCalls(Block... calls) {
        modelAnswers(FinishReason.TOOL_CALLS, calls);
    }

    void modelAnswers(FinishReason finish, Block... blocks) {
        take(answer(asked(), finish, blocks));
    }

    ModelAnswered answer(TurnEffect.RequestModel request, FinishReason finish, Block... blocks) {
        return new ModelAnswered(
                request.callId(), request.attempt(), List.of(blocks), finish, USAGE, "scripted", "model-1", "raw");
    }

    void modelFails(ErrorCategory category) {
        take(failure(asked(), category));
    }

    ModelFailed failure(TurnEffect.RequestModel request, ErrorCategory category, Block... partial) {
        return new ModelFailed(request.callId(), request.attempt(), category, "detail", null, List.of(partial));
    }

    static Block.ToolCall call(String id, String name, String arguments) {
        return new Block.ToolCall(id, name, arguments, null);
    }

    static Block.ToolCall delegate(String id, String agent, String task) {
        return call(id, "delegate", "{\"agent\":\"%s\",\"task\":\"%s\"}".formatted(agent, task));
    }

    static Block.ToolCall delegateFresh(String id, String agent, String task) {
        return call(id, "delegate", "{\"agent\":\"%s\",\"task\":\"%s\",\"fresh\":true}".formatted(agent, task));
    }

    /** The newest request for the tool call that the model gave this id. */
    ToolRequest toolRequest(String toolCallId) {
        var call = state().running().calls().stream()
                .filter(open -> open.toolCallId().equals(toolCallId))
                .findFirst()
                .orElseThrow();
        return requests()
                .filter(request -> request.callId().equals(call.callId()))
                .toList()
                .getLast();
    }

    /** How often the tool call with this id was requested. */
    int toolAttempts(String toolCallId) {
        return (int) events(TurnEvent.ToolRequested.class).stream()
                .filter(event -> event.toolCallId().equals(toolCallId))
                .count();
    }

    Stream<ToolRequest> requests() {
        return effects(TurnEffect.RequestTool.class).stream().map(TurnEffect.RequestTool::request);
    }

    /** Answers the newest request to a guardrail's tool. */
    void guardAnswers(String content) {
        guardAnswers(ToolStatus.COMPLETED, content);
    }

    void guardAnswers(ToolStatus status, String content) {
        ToolRequest request = requests().toList().getLast();
        take(new ToolAnswered(request.callId(), request.attempt(), status, content));
    }

    void toolAnswers(String toolCallId, String content) {
        ToolRequest request = toolRequest(toolCallId);
        take(new ToolAnswered(request.callId(), request.attempt(), ToolStatus.COMPLETED, content));
    }

    void toolFails(String toolCallId, String content) {
        ToolRequest request = toolRequest(toolCallId);
        take(new ToolAnswered(request.callId(), request.attempt(), ToolStatus.ERROR, content));
    }

    /** The newest request to restore files. */
    ToolRequest revertAsked() {
        return requests()
                .filter(request -> request.name().equals(ToolSpec.FILES_REVERT))
                .toList()
                .getLast();
    }

    /** Answers the request to restore files. */
    void filesAre(String content) {
        ToolRequest request = revertAsked();
        take(new ToolAnswered(request.callId(), request.attempt(), ToolStatus.COMPLETED, content));
    }

    void take(TurnInput input) {
        TurnDecision decisions = session.decide(input, world.now, world.definitions);
        events.addAll(decisions.events());
        effects.addAll(decisions.effects());
        decisions.effects().forEach(this::pass);
    }

    private void pass(TurnEffect effect) {
        switch (effect) {
            case TurnEffect.SendCommand send -> other(send.to().session()).take(send.command());
            case TurnEffect.SendResult answer -> other(answer.to().session()).take(answer.result());
            case TurnEffect.SendContext seed -> other(seed.to().session()).take(completeSeed(seed));
            default -> {}
        }
    }

    private SeedContext completeSeed(TurnEffect.SendContext seed) {
        SeedContext first = seed.piece();
        return new SeedContext(
                first.meta(),
                first.forkId(),
                first.source(),
                first.sourceSessionId(),
                first.forkedFrom(),
                0,
                1,
                first.agent(),
                first.title(),
                first.summary(),
                session.entries(seed.from(), seed.end()));
    }

    // ---- results

    SessionState state() {
        return session.state();
    }

    Instant now() {
        return world.now;
    }

    Map<Long, Entry> entries() {
        return session.entries();
    }

    /** All published events. */
    List<TurnEvent> published() {
        return session.published();
    }

    <E extends TurnEvent> List<E> events(Class<E> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }

    <E extends TurnEffect> List<E> effects(Class<E> type) {
        return effects.stream().filter(type::isInstance).map(type::cast).toList();
    }

    /** All events, including unpublished ones. */
    List<TurnEvent> events() {
        return List.copyOf(events);
    }

    List<TurnEffect> effects() {
        return List.copyOf(effects);
    }

    int eventCount() {
        return events.size();
    }

    /** The newest request to a model. */
    TurnEffect.RequestModel asked() {
        return effects(TurnEffect.RequestModel.class).stream()
                .filter(request -> request.purpose() == ModelRequest.Purpose.REPLY)
                .toList()
                .getLast();
    }

    /** The tool choice of the newest model call. */
    ToolChoice toolChoice() {
        return asked().request(state().open(), List.of()).toolChoice();
    }

    TurnEffect.RequestModel askedForSummary() {
        return effects(TurnEffect.RequestModel.class).stream()
                .filter(request -> request.purpose() == ModelRequest.Purpose.SUMMARY)
                .toList()
                .getLast();
    }

    /** The newest request for a transcript. */
    TurnEffect.RequestModel askedForTranscript() {
        return effects(TurnEffect.RequestModel.class).stream()
                .filter(request -> request.purpose() == ModelRequest.Purpose.TRANSCRIPT)
                .toList()
                .getLast();
    }

    long summariesAsked() {
        return effects(TurnEffect.RequestModel.class).stream()
                .filter(request -> request.purpose() == ModelRequest.Purpose.SUMMARY)
                .count();
    }

    /** The messages of the newest model call, one per line. */
    List<String> shown() {
        return session.prompt(asked()).stream().map(SessionFixture::line).toList();
    }

    List<Message> shownMessages() {
        return session.prompt(asked());
    }

    private static String line(Message message) {
        var parts = message.blocks().stream()
                .map(block -> switch (block) {
                    case Block.Text text -> text.text();
                    case Block.ToolCall call -> call.name() + "(" + call.id() + ")";
                    case Block.ToolResult result -> result.toolCallId() + ": " + result.content();
                    case Block.File file -> file.name() + ": " + file.transcript();
                    default -> block.toString();
                })
                .toList();
        return message.role().name().toLowerCase(java.util.Locale.ROOT) + ": " + String.join(" ", parts);
    }

    List<String> delivered(Reply.Kind kind) {
        return replies(kind).stream().map(Reply::text).toList();
    }

    List<Reply> replies(Reply.Kind kind) {
        return effects(TurnEffect.DeliverReply.class).stream()
                .map(TurnEffect.DeliverReply::reply)
                .filter(reply -> reply.kind() == kind)
                .toList();
    }

    void replies(String... texts) {
        assertEquals(List.of(texts), delivered(Reply.Kind.FINAL));
    }

    Outcome outcome(UUID commandId) {
        return session.outcome(commandId).orElseThrow();
    }

    /** All outcomes sent for this command or turn, oldest first. */
    List<Outcome> told(UUID id) {
        return effects(TurnEffect.SendOutcome.class).stream()
                .map(TurnEffect.SendOutcome::outcome)
                .filter(outcome -> switch (outcome) {
                    case Outcome.Accepted accepted -> accepted.commandId().equals(id);
                    case Outcome.Refused refused -> refused.commandId().equals(id);
                    case Outcome.TodosListed listed -> listed.commandId().equals(id);
                    case Outcome.RemindersListed listed -> listed.commandId().equals(id);
                    case Outcome.CallsListed listed -> listed.commandId().equals(id);
                    case Outcome.Reverted reverted -> reverted.commandId().equals(id);
                    case Outcome.ProcessShown shown -> shown.commandId().equals(id);
                    case Outcome.Retained retained -> retained.commandId().equals(id);
                    case Outcome.Recalled recalled -> recalled.commandId().equals(id);
                    case Outcome.Concluded concluded -> concluded.commandId().equals(id);
                    case Outcome.Finished finished -> finished.turnId().equals(id);
                })
                .toList();
    }

    Outcome.Accepted accepted(UUID commandId) {
        return (Outcome.Accepted) told(commandId).getFirst();
    }

    Outcome.Finished finished(UUID turnId) {
        return (Outcome.Finished) outcome(turnId);
    }

    void refuses(UUID commandId, String code) {
        assertEquals(code, ((Outcome.Refused) outcome(commandId)).code());
    }

    void isActive(UUID turnId) {
        assertEquals(turnId, state().running().turnId());
    }

    void waiting(UUID... turns) {
        assertEquals(
                List.of(turns), state().queue().stream().map(QueuedTurn::turnId).toList());
    }

    void isIdle() {
        assertTrue(state().active() == null && state().queue().isEmpty(), () -> "busy: " + state());
    }

    /** Submits a message and answers it. */
    UUID exchanges(String question, String reply) {
        UUID turn = says(question);
        modelAnswers(reply);
        return turn;
    }

    static Message user(String text) {
        return Message.text(Role.USER, text);
    }
}
