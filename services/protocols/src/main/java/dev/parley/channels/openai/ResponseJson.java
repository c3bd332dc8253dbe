package dev.parley.channels.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.openai.request.ClientToolCall;
import dev.parley.channels.openai.store.ResponseId;
import dev.parley.channels.openai.store.StoredResponse;
import dev.parley.channels.protocols.ProtocolException;
import dev.parley.channels.protocols.ProtocolException.Failure;
import dev.parley.channels.protocols.ProtocolJson;
import dev.parley.channels.protocols.TurnEnd;
import dev.parley.domain.protocol.Usage;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Writer of responses, always the complete object.
 *
 * @param id of the response
 * @param created seconds since 1970
 * @param request the request whose options are repeated; an empty object where it is unknown
 * @param model name of the agent
 * @param previous id of the previous response, or null
 * @param conversation the conversation as the request named it, or null
 */
record ResponseJson(
        ResponseId id,
        long created,
        ObjectNode request,
        String model,
        @Nullable String previous,
        @Nullable String conversation) {
    private static final List<String> REPEATED = List.of(
            "instructions", "max_output_tokens", "max_tool_calls", "safety_identifier", "prompt_cache_key", "user");

    /** Status of a response. */
    enum Status {
        QUEUED,
        IN_PROGRESS,
        COMPLETED,
        INCOMPLETE,
        FAILED,
        CANCELLED;

        String code() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** The status with this code. */
        static Status of(String code) {
            return valueOf(code.toUpperCase(Locale.ROOT));
        }

        /** @param isCut whether the reply reached its maximum length */
        static Status of(TurnEnd end, boolean isCut) {
            return switch (end) {
                case TurnEnd.Completed _ -> isCut ? INCOMPLETE : COMPLETED;
                case TurnEnd.Called _ -> COMPLETED;
                case TurnEnd.Failed _ -> FAILED;
                case TurnEnd.Cancelled _ -> CANCELLED;
                case TurnEnd.Open _ -> IN_PROGRESS;
            };
        }

        private boolean isOver() {
            return this != QUEUED && this != IN_PROGRESS;
        }
    }

    /** The response of a stored request. */
    static ResponseJson of(StoredResponse row) {
        ObjectNode request = ProtocolJson.parse(row.request());
        return new ResponseJson(
                row.id(),
                row.createdAt().getEpochSecond(),
                request,
                request.path("model").asText(),
                row.previousId() == null ? null : new ResponseId(row.previousId()).text(),
                row.conversation());
    }

    /** The response at its start, as it was before it had ended. */
    static ObjectNode reopened(ObjectNode ended) {
        ObjectNode open = ended.deepCopy();
        open.put("status", Status.IN_PROGRESS.code()).putArray("output");
        for (String name : List.of("completed_at", "error", "incomplete_details", "usage")) {
            open.putNull(name);
        }
        return open;
    }

    /**
     * The response at the end of its turn, or at calls of the client's functions.
     *
     * @param usage of its own model calls, or null
     * @param completed seconds since 1970
     */
    ObjectNode end(TurnEnd end, @Nullable Usage usage, boolean isCut, ArrayNode output, long completed) {
        Status status = Status.of(end, isCut);
        return status == Status.IN_PROGRESS ? open(status) : of(status, output, usage, end.failure(), completed);
    }

    /** Whether the request asks for summaries of reasoning. */
    boolean showsReasoning() {
        return request.path("reasoning").hasNonNull("summary");
    }

    /** The response without output. */
    ObjectNode open(Status status) {
        return of(status, ProtocolJson.array(), null, null, null);
    }

    /**
     * The response so far.
     *
     * @param completed seconds since 1970, or null
     */
    ObjectNode of(
            Status status, ArrayNode output, @Nullable Usage usage, @Nullable Failure error, @Nullable Long completed) {
        ObjectNode response = ProtocolJson.object()
                .put("id", id.text())
                .put("object", "response")
                .put("created_at", created)
                .put("completed_at", status.isOver() ? completed : null)
                .put("status", status.code())
                .put("background", request.path("background").asBoolean(false))
                .put("model", model)
                .put("previous_response_id", previous);
        response.set("error", error == null ? null : error(error));
        response.set(
                "incomplete_details",
                status == Status.INCOMPLETE ? ProtocolJson.object().put("reason", "max_output_tokens") : null);
        response.set("output", output);
        response.set("usage", usage == null ? null : usage(usage));
        response.set(
                "conversation",
                conversation == null ? null : ProtocolJson.object().put("id", conversation));
        return addRequestOptions(response);
    }

    /** Repeats the options of the request. */
    private ObjectNode addRequestOptions(ObjectNode response) {
        for (String name : REPEATED) {
            response.set(name, request.get(name));
        }
        response.set("metadata", or("metadata", ProtocolJson.object()));
        response.set("temperature", or("temperature", ProtocolJson.object().numberNode(1.0)));
        response.set("top_p", or("top_p", ProtocolJson.object().numberNode(1.0)));
        response.set("tool_choice", or("tool_choice", ProtocolJson.object().textNode("auto")));
        response.set("text", text());
        response.set("reasoning", reasoning());
        response.set("tools", or("tools", ProtocolJson.array()));
        return response.put(
                        "parallel_tool_calls",
                        request.path("parallel_tool_calls").asBoolean(true))
                .put("store", true)
                .put("truncation", "disabled")
                .put("service_tier", "default")
                .put("presence_penalty", 0.0)
                .put("frequency_penalty", 0.0)
                .put("top_logprobs", 0);
    }

    private JsonNode or(String name, JsonNode fallback) {
        return request.hasNonNull(name) ? request.get(name) : fallback;
    }

    private ObjectNode text() {
        ObjectNode text = ProtocolJson.object();
        JsonNode format = request.path("text").path("format");
        text.set("format", format.isObject() ? format : ProtocolJson.object().put("type", "text"));
        return text;
    }

    private ObjectNode reasoning() {
        ObjectNode reasoning = ProtocolJson.object();
        reasoning.set("effort", request.path("reasoning").get("effort"));
        reasoning.set("summary", request.path("reasoning").get("summary"));
        return reasoning;
    }

    /** A message of the agent, whole or truncated. */
    static ObjectNode message(ResponseId id, int index, String status, @Nullable String text) {
        ObjectNode message = ProtocolJson.object()
                .put("id", id.message(index))
                .put("type", "message")
                .put("status", status)
                .put("role", "assistant");
        ArrayNode content = message.putArray("content");
        if (text != null) {
            content.add(part(text));
        }
        return message;
    }

    static ObjectNode part(String text) {
        ObjectNode part = ProtocolJson.object().put("type", "output_text").put("text", text);
        part.putArray("annotations");
        part.putArray("logprobs");
        return part;
    }

    /**
     * A function call of the client.
     *
     * @param arguments those sent so far
     */
    static ObjectNode call(ResponseId id, ClientToolCall call, int index, String status, String arguments) {
        return ProtocolJson.object()
                .put("id", id.call(index))
                .put("type", "function_call")
                .put("status", status)
                .put("call_id", call.id())
                .put("name", call.name())
                .put("arguments", arguments);
    }

    /** The reasoning of a model, as a summary. */
    static ObjectNode reasoning(ResponseId id, int index, @Nullable String text) {
        ObjectNode reasoning =
                ProtocolJson.object().put("id", id.reasoning(index)).put("type", "reasoning");
        ArrayNode summary = reasoning.putArray("summary");
        if (text != null) {
            summary.add(summaryPart(text));
        }
        return reasoning;
    }

    static ObjectNode summaryPart(String text) {
        return ProtocolJson.object().put("type", "summary_text").put("text", text);
    }

    private static ObjectNode error(Failure failure) {
        String code = switch (failure.code()) {
            case "rate_limit_exceeded",
                    "turn_cancelled",
                    ProtocolException.INSUFFICIENT_QUOTA,
                    "context_length_exceeded" -> failure.code();
            default -> "server_error";
        };
        return ProtocolJson.object().put("code", code).put("message", failure.message());
    }

    /** Cached tokens are part of the input's, reasoning tokens of the output's; the total counts each once. */
    static ObjectNode usage(Usage usage) {
        ObjectNode json = ProtocolJson.object().put("input_tokens", usage.input());
        json.putObject("input_tokens_details").put("cached_tokens", usage.cacheRead());
        json.put("output_tokens", usage.output());
        json.putObject("output_tokens_details").put("reasoning_tokens", usage.reasoning());
        return json.put("total_tokens", usage.tokens());
    }
}
