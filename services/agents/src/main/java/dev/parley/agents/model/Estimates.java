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
 * Upper estimates of the usage of calls, for reservations: one token per three bytes of the request, and the maximum
 * length of the answer.
 */
final class Estimates {
    private static final int BYTES_PER_TOKEN = 3;
    private static final int MESSAGE_TOKENS = 8;
    private static final int IMAGE_TOKENS = 4_000;
    private static final int MAX_FILE_TOKENS = 100_000;
    private static final int RECORDING_BYTES_PER_TOKEN = 500;
    /** The maximum answer of an agent without a limit. */
    private static final int DEFAULT_ANSWER_TOKENS = 8_192;

    private Estimates() {}

    /** @param prices the prices of models */
    static Estimate of(ModelRequest request, Prices prices) {
        Agent agent = request.agent();
        long input = input(request);
        long output = request.purpose() == ModelRequest.Purpose.TRANSCRIPT ? input : output(agent);
        // The whole input may be written to the provider's cache, which is the most expensive case.
        var worstCase = new Usage(input, output, 0, 0, input, null);
        return new Estimate(
                prices.cost(request.host(), worstCase, agent.provider(), agent.model())
                        .orElse(null),
                worstCase.tokens());
    }

    static long input(ModelRequest request) {
        long tokens = tokens(request.agent().prompt()) + (request.summary() == null ? 0 : tokens(request.summary()));
        for (ToolSpec tool : request.tools()) {
            tokens += MESSAGE_TOKENS + tokens(tool.name()) + tokens(tool.description()) + tokens(tool.parameters());
        }
        for (Message message : request.messages()) {
            tokens += MESSAGE_TOKENS;
            for (Block block : message.blocks()) {
                tokens += tokens(block);
            }
        }
        return tokens;
    }

    private static long tokens(Block block) {
        long rawTokens = block.raw() == null ? 0 : tokens(block.raw().json());
        return MESSAGE_TOKENS
                + switch (block) {
                    case Block.Text text -> Math.max(rawTokens, tokens(text.text()));
                    case Block.ToolCall call -> Math.max(rawTokens, tokens(call.name()) + tokens(call.arguments()));
                    case Block.ToolResult result -> Math.max(rawTokens, tokens(result.content()));
                    case Block.Thinking thought -> Math.max(rawTokens, tokens(thought.text()));
                    case Block.RedactedThinking thought -> Math.max(rawTokens, tokens(thought.data()));
                    case Block.File file -> Math.max(rawTokens, tokens(file));
                    case Block.Raw _ -> rawTokens;
                };
    }

    private static long tokens(Block.File file) {
        if (file.isRecording()) {
            return file.transcript() == null ? file.size() / RECORDING_BYTES_PER_TOKEN : tokens(file.transcript());
        }
        boolean picture = file.mimeType().toLowerCase(Locale.ROOT).startsWith("image/");
        return picture ? IMAGE_TOKENS : Math.min(file.size() / BYTES_PER_TOKEN, MAX_FILE_TOKENS);
    }

    /** ASCII characters count one byte, all others three. */
    private static long tokens(String text) {
        long bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            bytes += text.charAt(i) < 0x80 ? 1 : BYTES_PER_TOKEN;
        }
        return bytes / BYTES_PER_TOKEN + 1;
    }

    private static long output(Agent agent) {
        Integer maxTokens = agent.maxTokens();
        return (long) (maxTokens == null ? DEFAULT_ANSWER_TOKENS : maxTokens) + thinking(agent.thinking());
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
