package dev.parley.channels.openai;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.openai.request.ClientToolCall;
import dev.parley.channels.protocols.AnswerText;
import dev.parley.channels.protocols.ProtocolJson;
import dev.parley.domain.protocol.Usage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writer of chat completions, whole and in chunks.
 *
 * @param id of all chunks of one answer
 * @param created seconds since 1970
 * @param model name of the agent
 */
record CompletionJson(String id, long created, String model) {
    /** Separator of texts of one turn. */
    private static final String BREAK = "\n\n";

    private ObjectNode head(String object) {
        return ProtocolJson.object()
                .put("id", id)
                .put("object", object)
                .put("created", created)
                .put("model", model)
                .put("service_tier", "default");
    }

    /** The whole completion. */
    ObjectNode completion(List<String> texts, List<ClientToolCall> calls, boolean isCut, @Nullable Usage usage) {
        ObjectNode completion = head("chat.completion");
        completion
                .putArray("choices")
                .addObject()
                .put("index", 0)
                .<ObjectNode>set("message", message(texts, calls))
                .putNull("logprobs")
                .put("finish_reason", finish(calls, isCut));
        if (usage != null) {
            completion.set("usage", usage(usage));
        }
        return completion;
    }

    private static ObjectNode message(List<String> texts, List<ClientToolCall> calls) {
        ObjectNode message = ProtocolJson.object()
                .put("role", "assistant")
                .put("content", texts.isEmpty() && !calls.isEmpty() ? null : String.join(BREAK, texts))
                .putNull("refusal");
        message.set("annotations", ProtocolJson.array());
        if (!calls.isEmpty()) {
            ArrayNode toolCalls = message.putArray("tool_calls");
            calls.forEach(call -> toolCalls.add(call(call)));
        }
        return message;
    }

    /** The finish reason. */
    static String finish(List<ClientToolCall> calls, boolean isCut) {
        return !calls.isEmpty() ? "tool_calls" : isCut ? "length" : "stop";
    }

    private static ObjectNode call(ClientToolCall call) {
        ObjectNode json = ProtocolJson.object().put("id", call.id()).put("type", "function");
        json.putObject("function").put("name", call.name()).put("arguments", call.arguments());
        return json;
    }

    /** A call with all its arguments. */
    ObjectNode toolCallChunk(int index, ClientToolCall call, boolean withUsage) {
        ObjectNode delta = ProtocolJson.object();
        ObjectNode json = call(call).put("index", index);
        delta.putArray("tool_calls").add(json);
        return chunk(delta, null, withUsage);
    }

    /**
     * The first chunk, with the role.
     *
     * @param withUsage whether the last chunk has the usage
     */
    ObjectNode firstChunk(boolean withUsage) {
        return chunk(ProtocolJson.object().put("role", "assistant").put("content", ""), null, withUsage);
    }

    /**
     * A chunk of text.
     *
     * @param isContinuation whether text precedes it
     */
    ObjectNode textChunk(AnswerText.Piece piece, boolean isContinuation, boolean withUsage) {
        String text = piece.begins() && isContinuation ? BREAK + piece.text() : piece.text();
        return chunk(ProtocolJson.object().put("content", text), null, withUsage);
    }

    /** The chunk with the finish reason. */
    ObjectNode finishChunk(String finish, boolean withUsage) {
        return chunk(ProtocolJson.object(), finish, withUsage);
    }

    private ObjectNode chunk(ObjectNode delta, @Nullable String finish, boolean withUsage) {
        ObjectNode chunk = head("chat.completion.chunk");
        chunk.putArray("choices")
                .addObject()
                .put("index", 0)
                .<ObjectNode>set("delta", delta)
                .putNull("logprobs")
                .put("finish_reason", finish);
        return withUsage ? chunk.putNull("usage") : chunk;
    }

    /** The final chunk with the usage, on request. */
    ObjectNode usageChunk(Usage usage) {
        ObjectNode chunk = head("chat.completion.chunk");
        chunk.putArray("choices");
        chunk.set("usage", usage(usage));
        return chunk;
    }

    /** Cached tokens are part of the prompt's, reasoning tokens of the completion's; the total counts each once. */
    static ObjectNode usage(Usage usage) {
        ObjectNode json = ProtocolJson.object()
                .put("prompt_tokens", usage.input())
                .put("completion_tokens", usage.output())
                .put("total_tokens", usage.tokens());
        json.putObject("prompt_tokens_details")
                .put("cached_tokens", usage.cacheRead())
                .put("audio_tokens", 0);
        json.putObject("completion_tokens_details")
                .put("reasoning_tokens", usage.reasoning())
                .put("audio_tokens", 0)
                .put("accepted_prediction_tokens", 0)
                .put("rejected_prediction_tokens", 0);
        return json;
    }
}
