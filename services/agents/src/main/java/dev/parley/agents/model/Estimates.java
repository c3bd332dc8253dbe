package dev.parley.agents.model;

import dev.parley.agents.budget.Estimate;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.ThinkingLevel;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.domain.protocol.Usage;
import java.util.Locale;

/**
 * What a call may use at the most, so that it can be reserved before it is made. It is reckoned high: a token for three bytes of
 * what is sent, and all that the answer may have.
 */
final class Estimates {
    private static final int BYTES = 3;
    private static final int MESSAGE = 8;
    private static final int PICTURE = 4_000;
    private static final int FILE = 100_000;
    private static final int RECORDED_BYTES = 500;
    /** Where an agent does not say how long an answer may be. */
    private static final int ANSWER = 8_192;

    private Estimates() {}

    /** @param prices what its model costs */
    static Estimate of(ModelRequest request, Prices prices) {
        Agent agent = request.agent();
        long input = input(request);
        long output = request.purpose() == ModelRequest.Purpose.TRANSCRIPT ? input : output(agent);
        // All of it may have to be put into the provider's cache, which is the dearest that can become of it.
        var most = new Usage(input, output, 0, 0, input, null);
        return new Estimate(
                prices.cost(request.host(), most, agent.provider(), agent.model())
                        .orElse(null),
                most.tokens());
    }

    static long input(ModelRequest request) {
        long tokens = tokens(request.agent().prompt()) + (request.summary() == null ? 0 : tokens(request.summary()));
        for (ToolSpec tool : request.tools()) {
            tokens += MESSAGE + tokens(tool.name()) + tokens(tool.description()) + tokens(tool.parameters());
        }
        for (Message message : request.messages()) {
            tokens += MESSAGE;
            for (Block block : message.blocks()) {
                tokens += tokens(block);
            }
        }
        return tokens;
    }

    private static long tokens(Block block) {
        long own = block.raw() == null ? 0 : tokens(block.raw().json());
        return MESSAGE
                + switch (block) {
                    case Block.Text text -> Math.max(own, tokens(text.text()));
                    case Block.ToolCall call -> Math.max(own, tokens(call.name()) + tokens(call.arguments()));
                    case Block.ToolResult result -> Math.max(own, tokens(result.content()));
                    case Block.Thinking thought -> Math.max(own, tokens(thought.text()));
                    case Block.RedactedThinking thought -> Math.max(own, tokens(thought.data()));
                    case Block.File file -> Math.max(own, tokens(file));
                    case Block.Raw _ -> own;
                };
    }

    private static long tokens(Block.File file) {
        if (file.isRecording()) {
            return file.transcript() == null ? file.size() / RECORDED_BYTES : tokens(file.transcript());
        }
        boolean picture = file.mimeType().toLowerCase(Locale.ROOT).startsWith("image/");
        return picture ? PICTURE : Math.min(file.size() / BYTES, FILE);
    }

    /** A sign is one byte or, where it is none of the common ones, three. */
    private static long tokens(String text) {
        long bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            bytes += text.charAt(i) < 0x80 ? 1 : BYTES;
        }
        return bytes / BYTES + 1;
    }

    private static long output(Agent agent) {
        Integer most = agent.maxTokens();
        return (long) (most == null ? ANSWER : most) + thinking(agent.thinking());
    }

    private static int thinking(ThinkingLevel level) {
        return switch (level) {
            case NONE -> 0;
            case LOW -> 2_048;
            case MEDIUM -> 8_192;
            case HIGH -> 16_384;
        };
    }
}
