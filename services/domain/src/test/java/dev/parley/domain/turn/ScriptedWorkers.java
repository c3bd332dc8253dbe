package dev.parley.domain.turn;

import dev.parley.domain.content.Block;
import dev.parley.domain.content.ProviderItem;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CallResult.*;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.domain.protocol.ToolRequest;
import dev.parley.domain.protocol.ToolStatus;
import dev.parley.domain.protocol.Usage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.IntStream;

/** Models and tools that answer at random: well, badly, slowly, or not at all. */
final class ScriptedWorkers {
    private static final Usage USAGE = new Usage(60, 40, 0, 0, 0, 30L);

    private final SplittableRandom random;

    /** A result that a worker returns after a while. */
    record Late(Duration after, CallResult result) {}

    ScriptedWorkers(SplittableRandom random) {
        this.random = random;
    }

    List<Late> model(TurnEffect.RequestModel request, Instant now) {
        Duration wait = pause();
        if (now.plus(wait).isAfter(request.leaseUntil()) || chance(6)) {
            return List.of(); // started too late, or the worker died
        }
        var answers = progress(request.callId(), request.attempt(), wait);
        Duration after = wait.plus(answers.isEmpty() ? pause() : Duration.ofSeconds(4L * answers.size()));
        answers.add(new Late(after, modelResult(request)));
        return answers;
    }

    List<Late> tool(ToolRequest request, Instant now) {
        Duration wait = pause();
        if (now.plus(wait).isAfter(request.leaseUntil()) || chance(8)) {
            return List.of();
        }
        var answers = progress(request.callId(), request.attempt(), wait);
        Duration after = wait.plus(answers.isEmpty() ? pause() : Duration.ofSeconds(4L * answers.size()));
        answers.add(new Late(after, toolResult(request)));
        return answers;
    }

    /** Results that the worker of a cancelled model call still returns; often none. */
    List<Late> lastWords(UUID callId, int attempt) {
        return switch (random.nextInt(4)) {
            case 0 -> List.of(new Late(pause(), failure(callId, attempt, ErrorCategory.CANCELLED)));
            case 1 ->
                List.of(new Late(
                        pause(), answer(callId, attempt, List.of(Block.text("I was")), FinishReason.CANCELLED)));
            case 2 -> List.of(new Late(pause(), new RetryAfter(callId, attempt, pause(), "busy")));
            default -> List.of();
        };
    }

    private Duration pause() {
        return Duration.ofMillis(random.nextInt(10) == 0 ? random.nextInt(15_000) : random.nextInt(800));
    }

    private List<Late> progress(UUID callId, int attempt, Duration wait) {
        int signs = chance(10) ? 1 + random.nextInt(8) : 0;
        return IntStream.rangeClosed(1, signs)
                .mapToObj(i -> new Late(wait.plusSeconds(3L * i), new CallProgress(callId, attempt, "worker")))
                .collect(ArrayList::new, List::add, List::addAll);
    }

    private CallResult modelResult(TurnEffect.RequestModel request) {
        UUID id = request.callId();
        int attempt = request.attempt();
        int kind = random.nextInt(100);
        if (kind < 8) {
            return new RetryAfter(id, attempt, chance(20) ? Duration.ZERO : pause(), "rate limit");
        }
        if (kind < 16) {
            return failure(id, attempt, ErrorCategory.values()[random.nextInt(ErrorCategory.values().length)]);
        }
        if (request.purpose() == ModelRequest.Purpose.SUMMARY) {
            return answer(id, attempt, List.of(Block.text(chance(15) ? " " : "what was said")), finish());
        }
        if (request.purpose() == ModelRequest.Purpose.TRANSCRIPT) {
            return answer(id, attempt, chance(10) ? List.of() : List.of(Block.text("spoken")), FinishReason.STOP);
        }
        boolean loops =
                request.turnId() != null && Math.floorMod(request.turnId().hashCode(), 8) == 0;
        if (loops) {
            return answer(id, attempt, List.of(call("c", "search", "{\"q\":1}")), FinishReason.TOOL_CALLS);
        }
        boolean callers = request.tools().stream().anyMatch(ToolSpec::isCallers);
        return answer(id, attempt, blocks(callers), finish());
    }

    private FinishReason finish() {
        return chance(80) ? FinishReason.STOP : FinishReason.values()[random.nextInt(FinishReason.values().length)];
    }

    private List<Block> blocks(boolean callers) {
        var blocks = new ArrayList<Block>();
        if (chance(10)) {
            blocks.add(new Block.Thinking("hm", "signed", null));
            blocks.add(new Block.Raw(new ProviderItem("scripted", "new_thing", "{}")));
        }
        if (chance(60)) {
            blocks.add(Block.text(chance(5) ? "" : "an answer"));
        }
        int calls = chance(45) ? 1 + random.nextInt(5) : 0;
        boolean sameIds = chance(10);
        for (int i = 0; i < calls; i++) {
            blocks.add(randomCall(sameIds ? "same" : "c" + i, callers));
        }
        return blocks;
    }

    private Block randomCall(String id, boolean callers) {
        if (callers && chance(25)) {
            return call(id, ScriptedPeople.TOOL, chance(15) ? "{\"q\":\"grey\"}" : "{\"q\":" + random.nextInt(3) + "}");
        }
        int kind = random.nextInt(100);
        if (kind < 40) {
            String tool = chance(10) ? ToolSpec.MEMORY_RECALL : chance(50) ? "search" : "write";
            return call(id, tool, "{\"q\":" + random.nextInt(3) + "}");
        }
        if (kind < 80) {
            String agent = List.of("default", "alpha", "beta", "gamma", "delta", "nobody")
                    .get(random.nextInt(6));
            String task = chance(5) ? "" : "do it";
            return call(
                    id,
                    "delegate",
                    "{\"agent\":\"%s\",\"task\":\"%s\",\"fresh\":%s}".formatted(agent, task, chance(30)));
        }
        if (kind < 90) {
            return call(id, "message", chance(80) ? "{\"text\":\"wait\"}" : "{");
        }
        if (kind < 95) {
            String todo = "{\"content\":\"do it\",\"activeForm\":\"doing it\",\"status\":\"in_progress\"}";
            String todos = String.join(",", Collections.nCopies(random.nextInt(3), todo)); // two of them are an error
            return call(id, "todo_write", "{\"todos\":[%s]}".formatted(todos));
        }
        return call(id, "no_such_tool", "");
    }

    private static Block call(String id, String name, String arguments) {
        return new Block.ToolCall(id, name, arguments, null);
    }

    private CallResult failure(UUID id, int attempt, ErrorCategory category) {
        Duration wait = chance(20) ? pause() : null;
        List<Block> partial = chance(30) ? blocks(false) : List.of();
        return new ModelFailed(id, attempt, category, "a detail", wait, partial);
    }

    private static CallResult answer(UUID id, int attempt, List<Block> blocks, FinishReason finish) {
        return new ModelAnswered(id, attempt, blocks, finish, USAGE, "scripted", "model-1", null);
    }

    private CallResult toolResult(ToolRequest request) {
        int kind = random.nextInt(100);
        if (kind < 8) {
            return new RetryAfter(
                    request.callId(), request.attempt(), chance(20) ? Duration.ZERO : pause(), "rate limit");
        }
        if (kind < 16) {
            return new ToolAnswered(request.callId(), request.attempt(), ToolStatus.ERROR, "error: no");
        }
        if (kind < 20) {
            ToolStatus status = ToolStatus.values()[random.nextInt(ToolStatus.values().length)];
            return new ToolAnswered(request.callId(), request.attempt(), status, "error: strange");
        }
        return new ToolAnswered(request.callId(), request.attempt(), ToolStatus.COMPLETED, "found");
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }
}
