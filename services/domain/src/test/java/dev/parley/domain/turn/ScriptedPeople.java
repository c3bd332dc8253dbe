package dev.parley.domain.turn;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.content.Block;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.AgentMode;
import dev.parley.domain.definition.Definitions;
import dev.parley.domain.definition.Settings;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.permission.PermissionAction;
import dev.parley.domain.protocol.ApprovalAnswer;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.Handoff;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnCommand.*;
import dev.parley.domain.protocol.origin.Origin;
import dev.parley.domain.protocol.origin.ReplyAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * People who write, cancel, reset, fork, archive and delete at random, and operators who change the agents meanwhile.
 */
final class ScriptedPeople {
    /** A caller's tool. */
    static final String TOOL = "pick";

    private static final List<String> SUBAGENTS = List.of("alpha", "beta", "gamma", "delta");

    private final SplittableRandom random;
    private final UUID host;
    private final Agent.Limits limits;
    private final String memory;
    private FixedDefinitions definitions;

    ScriptedPeople(SplittableRandom random, UUID host) {
        this.random = random;
        this.host = host;
        limits = new Agent.Limits(
                1 + random.nextInt(6),
                moment(Duration.ofMinutes(5)).plusSeconds(5),
                1 + random.nextInt(3),
                random.nextInt(4) == 0 ? 3_000L : null,
                random.nextInt(8) == 0 ? 400L : null,
                3 + random.nextInt(4),
                1 + random.nextInt(2),
                1 + random.nextInt(5),
                Agent.Limits.SKILL_TOKENS);
        memory = pick("", "", "user", "user_agent, host", "agent, user", "host");
        definitions = new FixedDefinitions(
                Stream.concat(Stream.of(Agent.DEFAULT), SUBAGENTS.stream())
                        .map(this::agent)
                        .toList(),
                Stream.of("search", "write", ToolSpec.MEMORY_RECALL)
                        .map(FixedDefinitions::toolNamed)
                        .toList());
        if (random.nextInt(3) == 0) {
            definitions = definitions.permitting(
                    FixedDefinitions.ALL, FixedDefinitions.rule("write", pick(PermissionAction.values())));
        }
    }

    private Agent agent(String name) {
        boolean primary = name.equals(Agent.DEFAULT) || name.equals("beta");
        var options = new HashMap<>(Map.of(Agent.MODELS, "other/model-2", Agent.MEMORY, memory));
        if (random.nextInt(4) > 0) {
            options.put(Agent.TRANSCRIBER, "listener/whisper");
        }
        return FixedDefinitions.agent(name, primary ? AgentMode.ALL : AgentMode.SUBAGENT, limits, options);
    }

    /** The current agents; each call may change them. */
    Definitions definitions() {
        if (random.nextInt(200) == 0) {
            String name = SUBAGENTS.get(random.nextInt(SUBAGENTS.size()));
            boolean missing = definitions.agent(name).isEmpty();
            definitions = missing ? definitions.with(agent(name)) : definitions.without(name);
        }
        return definitions;
    }

    /** A random duration up to this limit. */
    Duration moment(Duration limit) {
        return Duration.ofMillis(random.nextLong(limit.toMillis() + 1));
    }

    TurnCommand command(int number, Instant now, RecordKey to, List<UUID> turns, List<RecordKey> sessions) {
        UUID id = Ids.of("command", number);
        Integer partition = random.nextInt(3) == 0 ? null : random.nextInt(4);
        int kind = random.nextInt(100);
        if (kind < 66) {
            return submit(to, number, now, partition);
        }
        var meta = new CommandMeta(id, host, now, somebody(), partition, null);
        if (kind < 75) {
            return new CancelTurn(meta, turnToCancel(id, turns), "enough");
        }
        if (kind < 79) {
            return new TurnCommand.ReviseTurn(
                    meta, turns.isEmpty() ? id : pick(turns.toArray(UUID[]::new)), content("revised"));
        }
        if (kind < 90) {
            return new ResetContext(meta, reset(), pick("a", null, null));
        }
        if (kind < 94) {
            return new ChangeSession(meta, pick(Change.values()), pick("title", null), null, settings(), "web", null);
        }
        if (kind < 96) {
            return new ForkSession(meta, target(sessions), null);
        }
        boolean leads = random.nextInt(4) > 0;
        var operators = meta.with().user("olga").leads(leads).build();
        return kind < 98
                ? new TurnCommand.ChangeHandoff(operators, pick(Handoff.Step.values()), "", "Olga", null)
                : post(operators.toExisting(), number);
    }

    private static SubmitTurn post(CommandMeta meta, int number) {
        return new SubmitTurn(
                meta,
                Origin.API,
                "post " + number,
                MailboxMode.FOLLOWUP,
                null,
                null,
                List.of(Block.text("post " + number)),
                "web",
                null,
                new ReplyAddress("bot", "chat", null, null),
                null,
                false,
                null,
                List.of(),
                List.of(),
                true,
                false);
    }

    /** Answers whether a tool call may be carried out. */
    TurnCommand answer(int number, Instant now, UUID approval) {
        Integer partition = random.nextInt(3) == 0 ? null : random.nextInt(4);
        var meta = new CommandMeta(Ids.of("command", number), host, now, "ann", partition, null);
        return new TurnCommand.DecideApproval(meta, approval, pick(ApprovalAnswer.values()));
    }

    /** Gives the result of a call that waits for the caller. */
    TurnCommand result(int number, Instant now, UUID call) {
        Integer partition = random.nextInt(3) == 0 ? null : random.nextInt(4);
        var meta = new CommandMeta(Ids.of("command", number), host, now, somebody(), partition, null);
        return new TurnCommand.AnswerCall(meta, call, "result " + number, random.nextBoolean());
    }

    private Reset reset() {
        return pick(
                Reset.MARK,
                Reset.MARK,
                Reset.REWIND,
                Reset.REWIND,
                Reset.UNDO,
                Reset.CLEAR,
                Reset.NEW,
                Reset.REVERT,
                Reset.REVERT,
                Reset.UNREVERT,
                Reset.FORGET);
    }

    /** Mostly the same user, sometimes another or an unknown one. */
    private @Nullable String somebody() {
        return random.nextInt(20) > 0 ? "ann" : pick("ben", null);
    }

    private SubmitTurn submit(RecordKey to, int number, Instant now, @Nullable Integer partition) {
        String ref = "message " + number;
        var meta = new CommandMeta(to.turnId(Origin.CHANNEL.code(), ref), host, now, somebody(), partition, null);
        String agent = random.nextInt(20) == 0 ? pick("alpha", "nobody") : pick("beta", null, null);
        String text = random.nextInt(30) == 0 ? " " : ref;
        var replyTo = random.nextInt(4) == 0 ? null : new ReplyAddress("bot", "chat", null, null);
        return new SubmitTurn(
                meta,
                Origin.CHANNEL,
                ref,
                pick(MailboxMode.values()),
                agent,
                settings(),
                content(text),
                "web",
                null,
                replyTo,
                null,
                false,
                null,
                random.nextInt(4) > 0
                        ? List.of()
                        : List.of(ToolSpec.ofCaller(pick(TOOL, TOOL, "search"), "", "{\"not\":\"grey\"}")));
    }

    private @Nullable Settings settings() {
        String model = pick("other/model-2", "other/model-2", "nobody/nothing", null, null);
        return random.nextInt(5) == 0 ? new Settings(model, null, 0.5, null, 10, Map.of()) : null;
    }

    /** Text, a recording, or both. */
    private List<Block> content(String text) {
        if (random.nextInt(6) > 0) {
            return List.of(Block.text(text));
        }
        var recording = new Block.File("voice", "audio/ogg", 3, "hash " + random.nextInt(3), null, null);
        return random.nextBoolean() ? List.of(recording) : List.of(recording, Block.text(text), recording);
    }

    private @Nullable UUID turnToCancel(UUID other, List<UUID> turns) {
        return switch (random.nextInt(4)) {
            case 0 -> null;
            case 1 -> other;
            default -> turns.isEmpty() ? null : turns.get(random.nextInt(turns.size()));
        };
    }

    private RecordKey target(List<RecordKey> sessions) {
        boolean existing = !sessions.isEmpty() && random.nextBoolean();
        return existing ? sessions.get(random.nextInt(sessions.size())) : RecordKey.of("web:" + random.nextInt(4));
    }

    @SafeVarargs
    private <T> T pick(T... choice) {
        return choice[random.nextInt(choice.length)];
    }
}
