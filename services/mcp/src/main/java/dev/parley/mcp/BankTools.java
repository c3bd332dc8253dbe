package dev.parley.mcp;

import static dev.parley.mcp.ObjectSchema.choice;
import static dev.parley.mcp.ObjectSchema.integer;
import static dev.parley.mcp.ObjectSchema.list;
import static dev.parley.mcp.ObjectSchema.object;
import static dev.parley.mcp.ObjectSchema.ofResultWith;
import static dev.parley.mcp.ObjectSchema.text;
import static dev.parley.mcp.ObjectSchema.texts;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.mcp.McpTool.Effect;
import dev.parley.platform.api.ApiAnswer;
import dev.parley.platform.api.ApiRequest;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** MCP tools for memory. A call without a bank uses the caller's own bank in the project. */
final class BankTools {
    private static final Set<String> MEMORY = Set.of("memory");
    private static final int MAX_DOCUMENT = 1 << 20;
    private static final Duration RETAIN_WAIT = Duration.ofSeconds(20);

    private BankTools() {}

    static List<McpTool> all() {
        return List.of(listBanks(), recall(), retain(), reflect());
    }

    private static McpTool listBanks() {
        return new McpTool(
                "list_banks",
                "List banks of memory",
                "Lists the memory banks that the caller can see: their own, those of agents, and that "
                        + "of the host.",
                MEMORY,
                Effect.READS,
                ObjectSchema.ofArguments()
                        .optional(
                                "scope",
                                choice("Only banks of this scope.", List.of("user", "user_agent", "agent", "host")))
                        .optional("agent", text("Only banks of this agent."))
                        .optional(McpToolCall.PROJECT, text("Only banks of this project."))
                        .paged(),
                ObjectSchema.page("The banks.", ofResultWith("id", "Id of the bank.")),
                McpTool.request(call -> SessionTools.addPaging(call, ApiRequest.get("/v1/banks"))
                        .with("scope", call.arguments().maybe("scope"))
                        .with("agent", call.arguments().maybe("agent"))
                        .with("project", call.arguments().maybe(McpToolCall.PROJECT))));
    }

    private static McpTool recall() {
        return new McpTool(
                "recall",
                "Recall",
                "Finds memories about a subject in a memory bank: facts, earlier statements and conclusions.",
                MEMORY,
                Effect.READS,
                inBank().required("query", text("Subject to search for.", 10_000))
                        .optional(
                                "types",
                                texts("Only these types: world, experience, opinion, observation, mental_model.", 5))
                        .optional("tags", texts("Only memories that have at least one of these tags.", 50))
                        .optional(
                                "max_tokens",
                                integer("Maximum length of the result in tokens. Defaults to 4,096.", 10, 32_000)),
                ObjectSchema.ofResult().required("memories", list(object("A memory."), "Memories found, best first.")),
                call -> ask(call, "/v1/banks/{}/recall", "query", "types", "tags"));
    }

    private static McpTool retain() {
        return new McpTool(
                "retain",
                "Retain",
                "Retains a text in a memory bank. Its words can be found at once, the facts in it a "
                        + "moment later. A text with the same content is retained once.",
                MEMORY,
                Effect.ADDS,
                inBank().required("text", text("Text to retain.", MAX_DOCUMENT))
                        .optional("context", text("Subject of the text.", 2_000))
                        .optional(
                                "document",
                                text("Name of the document; a new text replaces the document of the same name.", 200))
                        .optional("tags", texts("Tags by which the text can be found.", 50))
                        .once(),
                ObjectSchema.ofResult()
                        .required(
                                "operations",
                                list(object("An operation."), "Operations that process the text, with their state.")),
                call -> call(call, true, bank -> retainRequest(call, bank)));
    }

    private static ApiRequest retainRequest(McpToolCall call, String bank) {
        return ApiRequest.post("/v1/banks/{}/docs", bank)
                .body(call.arguments().copy("document", "id", call.arguments().body("text", "context", "tags")))
                .once(call.reference())
                .waiting(RETAIN_WAIT);
    }

    private static McpTool reflect() {
        return new McpTool(
                "reflect",
                "Reflect",
                "Answers a question from the memories of a bank, and names those on which the answer "
                        + "is based. This takes up to two minutes, and the answer is kept.",
                MEMORY,
                Effect.ACTS,
                inBank().required("question", text("The question.", 4_000))
                        .optional("context", text("Asker and purpose of the question.", 2_000))
                        .optional("tags", texts("Only memories that have at least one of these tags are used.", 50))
                        .optional(
                                "max_tokens",
                                integer(
                                        "Approximate maximum length of the answer in tokens. Defaults to 1,000.",
                                        50,
                                        4_000)),
                ofResultWith("answer", "Answer, in which [m1] cites the first entry of 'basedOn'."),
                call -> ask(call, "/v1/banks/{}/reflect", "question", "context", "tags"));
    }

    private static ObjectSchema inBank() {
        return ObjectSchema.ofArguments()
                .optional("bank", text("Id of the bank. Defaults to the caller's own bank in the project."))
                .inProject();
    }

    /** Asks a bank, with these arguments and the maximum number of tokens. */
    private static ToolResult ask(McpToolCall call, String path, String... names) throws InterruptedException {
        ObjectNode body = call.arguments()
                .copy("max_tokens", "maxTokens", call.arguments().body(names));
        return call(call, false, bank -> ApiRequest.post(path, bank).body(body));
    }

    /** A request to a bank. */
    private interface Request {
        ApiRequest to(String bank);
    }

    /**
     * Calls the named bank, or the caller's own.
     *
     * @param opened whether a missing own bank is created
     */
    private static ToolResult call(McpToolCall call, boolean opened, Request request) throws InterruptedException {
        String namedBank = call.arguments().maybe("bank");
        if (namedBank != null) {
            return call.result(request.to(namedBank));
        }
        ApiAnswer answer = call.api().send(opened ? open(call) : find(call));
        if (!answer.isDone()) {
            return new ToolResult.Failed(answer.problem());
        }
        String bank = answer.object()
                .map(json ->
                        (opened ? json : json.path("data").path(0)).path("id").asText(""))
                .orElse("");
        return bank.isEmpty()
                ? new ToolResult.Failed(
                        "You have no bank of memory in the project '%s' yet: retain opens one, and list_banks lists others."
                                .formatted(call.inProject()))
                : call.result(request.to(bank));
    }

    private static ApiRequest find(McpToolCall call) {
        return ApiRequest.get("/v1/banks")
                .with("scope", "user")
                .with("project", call.inProject())
                .with("limit", 1);
    }

    private static ApiRequest open(McpToolCall call) {
        return ApiRequest.post("/v1/banks")
                .body(McpJson.object().put("scope", "user").put("project", call.inProject()));
    }
}
