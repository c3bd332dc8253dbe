package dev.parley.domain.turn;

import static dev.parley.domain.definition.GuardrailStage.INPUT;
import static dev.parley.domain.definition.GuardrailStage.OUTPUT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.ProviderItem;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.AgentMode;
import dev.parley.domain.definition.Guardrail;
import dev.parley.domain.definition.GuardrailAction;
import dev.parley.domain.definition.GuardrailStage;
import dev.parley.domain.protocol.CallResult.*;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.ToolRequest;
import dev.parley.domain.protocol.ToolStatus;
import dev.parley.domain.protocol.TurnCommand.*;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnEvent.*;
import dev.parley.domain.protocol.TurnInput;
import dev.parley.domain.protocol.Usage;
import dev.parley.domain.protocol.origin.Origin;
import dev.parley.domain.protocol.origin.ReplyAddress;
import dev.parley.domain.session.SessionState;
import dev.parley.domain.turn.answer.ToolArguments;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random runs of users and models that send secrets, guardrails of all kinds and failing workers: no secret gets
 * past the guardrails.
 */
class GuardrailSimulationTest {
    private static final int SEEDS = 1_000;
    private static final String SECRETS = "(heard|spoken)-\\d+";
    private static final UUID HOST = Ids.of("host");

    private final StoredSession session = new StoredSession(RecordKey.of("web:1"));
    private SplittableRandom random = new SplittableRandom(0);
    private FixedDefinitions definitions = new FixedDefinitions(List.of(), List.of());
    private final List<TurnEffect.RequestModel> models = new ArrayList<>();
    private final List<ToolRequest> tools = new ArrayList<>();
    private Instant now = Instant.parse("2030-01-01T00:00:00Z");
    private int commands;

    @Test
    @Tag("G4")
    @Tag("G2")
    void guardrailsStopEverySecretInRandomRuns() {
        int applied = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            try {
                applied += new GuardrailSimulationTest().run(seed);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
        assertTrue(applied > SEEDS, "guardrails have something to do");
    }

    private int run(long seed) {
        random = new SplittableRandom(seed);
        var agent = FixedDefinitions.agent(Agent.DEFAULT, AgentMode.ALL, FixedDefinitions.LIMITS)
                .withLeadingGuardrails(List.of(rail("in", INPUT), rail("out", OUTPUT), rail("more", OUTPUT)));
        definitions = new FixedDefinitions(
                List.of(agent), List.of(FixedDefinitions.toolNamed("judge"), FixedDefinitions.toolNamed("search")));
        for (int i = 0; i < 60; i++) {
            step();
        }
        for (int i = 0; i < 2_000 && TurnMachine.nextDue(session.state()).isPresent(); i++) {
            now = TurnMachine.nextDue(session.state()).get();
            take(new TurnInput.Tick());
        }
        assertNull(session.state().active());
        assertNoEntryContains("heard-");
        publishedEventsMakeTheState();
        return (int) session.published().stream()
                .filter(GuardrailApplied.class::isInstance)
                .count();
    }

    /** A replay of published events restores the state, as an import needs it. */
    private void publishedEventsMakeTheState() {
        SessionState state = SessionState.initial(session.key());
        for (TurnEvent event : session.published()) {
            state = TurnMachine.evolve(state, event);
        }
        assertEquals(session.state(), state);
    }

    private Guardrail rail(String name, GuardrailStage stage) {
        GuardrailAction action = chance(50) ? GuardrailAction.BLOCK : GuardrailAction.REWRITE;
        return chance(50)
                ? new Guardrail(name, List.of(stage), SECRETS, null, action, "[gone]", "No.", false)
                : new Guardrail(name, List.of(stage), null, "judge", GuardrailAction.BLOCK, "", "No.", false);
    }

    private void step() {
        now = now.plusMillis(random.nextInt(4_000));
        switch (random.nextInt(10)) {
            case 0, 1 -> take(message());
            case 2, 3, 4 -> answerModel();
            case 5, 6, 7 -> answerTool();
            case 8 -> take(new TurnInput.Tick());
            default -> {
                if (chance(20)) {
                    take(new CancelTurn(meta(Ids.of("cancel", commands++)), null, "enough"));
                } else if (chance(10)) {
                    now = now.plus(Duration.ofMinutes(random.nextInt(40)));
                }
            }
        }
    }

    private CommandMeta meta(UUID id) {
        return new CommandMeta(id, HOST, now, "ann", 1, null);
    }

    private SubmitTurn message() {
        String ref = "message " + commands++;
        var modes = List.of(MailboxMode.STEER, MailboxMode.FOLLOWUP, MailboxMode.COLLECT, MailboxMode.INTERRUPT);
        return new SubmitTurn(
                meta(session.key().turnId(Origin.CHANNEL.code(), ref)),
                Origin.CHANNEL,
                ref,
                modes.get(random.nextInt(modes.size())),
                null,
                null,
                List.of(Block.text(text("heard"))),
                "web",
                null,
                new ReplyAddress("bot", "chat", null, null),
                null);
    }

    private String text(String secret) {
        return chance(50) ? "well, " + secret + "-" + random.nextInt(100) + " it is" : "nothing special";
    }

    private void answerModel() {
        if (models.isEmpty()) {
            return;
        }
        TurnEffect.RequestModel request = models.get(random.nextInt(models.size()));
        var blocks = blocks();
        take(
                chance(15)
                        ? new ModelFailed(
                                request.callId(),
                                request.attempt(),
                                ErrorCategory.AUTH,
                                "no",
                                null,
                                List.of(Block.text(text("spoken"))))
                        : new ModelAnswered(
                                request.callId(),
                                request.attempt(),
                                blocks,
                                FinishReason.STOP,
                                new Usage(1, 1, 0, 0, 0, null),
                                "scripted",
                                "model-1",
                                chance(50) ? text("spoken") : null));
    }

    private List<Block> blocks() {
        var blocks = new ArrayList<Block>();
        if (chance(30)) {
            blocks.add(new Block.Thinking(text("spoken"), "sig", null));
        }
        if (chance(30)) {
            blocks.add(new Block.Raw(new ProviderItem("scripted", "odd", text("spoken"))));
        }
        blocks.add(new Block.Text(text("spoken"), chance(30) ? new ProviderItem("x", "y", text("spoken")) : null));
        if (chance(30)) {
            String name = List.of("search", "message", "nothing").get(random.nextInt(3));
            blocks.add(new Block.ToolCall("c", name, "{\"text\":\"" + text("spoken") + "\"}", null));
        }
        return blocks;
    }

    private void answerTool() {
        if (tools.isEmpty()) {
            return;
        }
        ToolRequest request = tools.get(random.nextInt(tools.size()));
        String content = request.name().equals("judge") ? judge(request.arguments()) : "found";
        take(
                switch (random.nextInt(8)) {
                    case 0 -> new CallProgress(request.callId(), request.attempt(), "worker");
                    case 1 -> new RetryAfter(request.callId(), request.attempt(), Duration.ofSeconds(3), "busy");
                    case 2 ->
                        new ToolAnswered(
                                request.callId(), request.attempt(), ToolStatus.ERROR, "error: " + request.arguments());
                    default -> new ToolAnswered(request.callId(), request.attempt(), ToolStatus.COMPLETED, content);
                });
    }

    private String judge(String arguments) {
        String text = ToolArguments.of(arguments).orElseThrow().text("text");
        String clean = text.replaceAll(SECRETS, "[gone]");
        return switch (random.nextInt(4)) {
            case 0 -> "nonsense " + text;
            case 1 -> ToolArguments.json("action", "block", "reason", text.replaceAll(".*(spoken-\\d+).*", "$1"));
            default ->
                clean.equals(text)
                        ? ToolArguments.json("action", "allow")
                        : ToolArguments.json("action", "rewrite", "text", clean);
        };
    }

    private void take(TurnInput input) {
        TurnDecision decisions = session.decide(input, now, definitions);
        decisions.events().stream()
                .filter(TurnEvent::isPublished)
                .filter(event -> !isUnchangedInput(event))
                .forEach(event -> assertClean(event, event.toString()));
        boolean starts = decisions.events().stream().anyMatch(TurnStarted.class::isInstance);
        for (TurnEffect effect : decisions.effects()) {
            switch (effect) {
                case TurnEffect.RequestTool call -> {
                    tools.add(call.request());
                    boolean guards = call.request().name().equals("judge");
                    assertClean(effect, guards ? "" : effect.toString());
                }
                case TurnEffect.RequestModel call -> {
                    models.add(call);
                    assertClean(effect, effect + session.prompt(call).toString());
                }
                case TurnEffect.StoreEntry store -> assertClean(effect, starts ? "" : store.toString());
                default -> assertClean(effect, effect.toString());
            }
        }
        assertNoEntryContains("spoken-");
        if (session.state().active() == null) {
            assertNoEntryContains("heard-");
        }
    }

    /** Events of incoming messages contain them unchanged. */
    private static boolean isUnchangedInput(TurnEvent event) {
        return event instanceof TurnAccepted
                || event instanceof TurnSteered
                || event instanceof TurnExtended
                || event instanceof TurnRevised;
    }

    private static void assertClean(Object effect, String text) {
        assertFalse(text.contains("heard-") || text.contains("spoken-"), () -> "it got through: " + effect);
    }

    private void assertNoEntryContains(String secret) {
        assertFalse(session.entries().toString().contains(secret), () -> "kept: " + session.entries());
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }
}
