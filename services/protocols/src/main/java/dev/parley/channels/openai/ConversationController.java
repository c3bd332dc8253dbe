package dev.parley.channels.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.openai.request.InputMessageReader;
import dev.parley.channels.openai.request.RequestContext;
import dev.parley.channels.openai.request.RequestMetadata;
import dev.parley.channels.openai.store.ConversationStore;
import dev.parley.channels.openai.store.ResponseId;
import dev.parley.channels.openai.store.ResponseStore;
import dev.parley.channels.openai.store.StoredConversation;
import dev.parley.channels.protocols.ProtocolException;
import dev.parley.channels.protocols.ProtocolJson;
import dev.parley.channels.protocols.RequestFields;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.Capability;
import dev.parley.domain.access.SessionStanding.Use;
import dev.parley.platform.http.Audited;
import dev.parley.platform.http.Authenticated;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.limit.BodySize;
import dev.parley.platform.http.limit.MaxBody;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Routes of conversations: items that responses go on from. */
@Controller
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(property = "parley.role.channels", value = "true")
@Tag(name = "OpenAI")
class ConversationController {
    /** Maximum number of items of one request, as in the protocol. */
    private static final int MAX_ADDED = 20;

    private static final String ITEMS = "items";

    private final ConversationStore store;
    private final ResponseStore responses;

    ConversationController(ConversationStore store, ResponseStore responses) {
        this.store = store;
        this.responses = responses;
    }

    /**
     * Create a conversation. A conversation, which may begin with items.
     *
     * @return The conversation.
     */
    @Authenticated
    @Audited(source = "conversation", action = "create")
    @MaxBody(BodySize.DOCUMENT)
    @Post(uris = {"/v1/conversations", "/v1/projects/{project}/conversations"})
    @RequestBody(content = @Content(schema = @Schema(type = "object")))
    @ApiResponse(
            responseCode = "400",
            description = "Invalid request; param names the field. Or too_many: the person has 10,000 in the project.")
    HttpResponse<byte[]> create(
            @Nullable @PathVariable String project,
            @Body byte @Nullable [] body,
            HttpRequest<?> request,
            Caller caller) {
        Project target = RequestContext.project(request, caller, project, Capability.SESSION_CREATE);
        RequestFields fields =
                RequestFields.of(body == null || body.length == 0 ? ProtocolJson.object() : ProtocolJson.read(body));
        boolean isEmpty = fields.get(ITEMS).isArray() && fields.get(ITEMS).isEmpty();
        ArrayNode items = fields.has(ITEMS) && !isEmpty ? items(caller, target, fields) : ProtocolJson.array();
        return ProtocolJson.response(
                json(store.create(caller, target, RequestMetadata.read(fields).pairs(), items)));
    }

    /**
     * Get a conversation. A conversation of the caller, without its items.
     *
     * @return The conversation.
     */
    @Authenticated
    @Get(uris = {"/v1/conversations/{id}", "/v1/projects/{project}/conversations/{id}"})
    @ApiResponse(responseCode = "404", description = "Unknown conversation.")
    HttpResponse<byte[]> show(
            @Nullable @PathVariable String project, @PathVariable String id, HttpRequest<?> request, Caller caller) {
        return ProtocolJson.response(json(find(request, caller, project, id, Capability.SESSION_READ, Use.READ)));
    }

    /**
     * Change a conversation. Replaces the metadata.
     *
     * @return The conversation.
     */
    @Authenticated
    @Audited(source = "conversation", action = "change")
    @Post(uris = {"/v1/conversations/{id}", "/v1/projects/{project}/conversations/{id}"})
    @RequestBody(content = @Content(schema = @Schema(type = "object")))
    @ApiResponse(responseCode = "400", description = "Invalid request; param names the field.")
    @ApiResponse(responseCode = "404", description = "Unknown conversation.")
    HttpResponse<byte[]> change(
            @Nullable @PathVariable String project,
            @PathVariable String id,
            @Body byte[] body,
            HttpRequest<?> request,
            Caller caller) {
        StoredConversation conversation = find(request, caller, project, id, Capability.SESSION_SEND, Use.MANAGE);
        RequestFields fields = RequestFields.of(ProtocolJson.read(body));
        if (!fields.has("metadata")) {
            throw ProtocolException.missing("metadata");
        }
        return ProtocolJson.response(json(
                store.setMetadata(conversation, RequestMetadata.read(fields).pairs())));
    }

    /**
     * Delete a conversation. Deletes the conversation and its items. The session of its responses stays, and can be
     * deleted or erased.
     *
     * @return The conversation was deleted.
     */
    @Authenticated
    @Audited(source = "conversation", action = "delete")
    @Delete(uris = {"/v1/conversations/{id}", "/v1/projects/{project}/conversations/{id}"})
    @ApiResponse(responseCode = "404", description = "Unknown conversation.")
    HttpResponse<byte[]> delete(
            @Nullable @PathVariable String project, @PathVariable String id, HttpRequest<?> request, Caller caller) {
        StoredConversation conversation = find(request, caller, project, id, Capability.SESSION_SEND, Use.MANAGE);
        store.delete(conversation);
        return ProtocolJson.response(ProtocolJson.object()
                .put("id", conversation.id().text())
                .put("object", "conversation.deleted")
                .put("deleted", true));
    }

    /**
     * Add items. Adds up to 20 items; the next response knows them.
     *
     * @return The added items.
     */
    @Authenticated
    @Audited(source = "conversation", action = "add")
    @MaxBody(BodySize.DOCUMENT)
    @Post(uris = {"/v1/conversations/{id}/items", "/v1/projects/{project}/conversations/{id}/items"})
    @RequestBody(content = @Content(schema = @Schema(type = "object")))
    @ApiResponse(responseCode = "400", description = "Invalid request; param names the field.")
    @ApiResponse(responseCode = "404", description = "Unknown conversation.")
    HttpResponse<byte[]> addItems(
            @Nullable @PathVariable String project,
            @PathVariable String id,
            @Body byte[] body,
            HttpRequest<?> request,
            Caller caller) {
        StoredConversation conversation = find(request, caller, project, id, Capability.SESSION_SEND, Use.WRITE);
        Project target = RequestContext.project(request, caller, project, Capability.SESSION_SEND);
        ArrayNode items = items(caller, target, RequestFields.of(ProtocolJson.read(body)));
        store.add(conversation, items);
        return ProtocolJson.response(ItemList.page(items, ItemList.MAX_LIMIT, "asc", null));
    }

    /**
     * List items. The items, newest first unless order is asc.
     *
     * @param after Id of the last item of the page before.
     * @return The items.
     */
    @Authenticated
    @Get(uris = {"/v1/conversations/{id}/items", "/v1/projects/{project}/conversations/{id}/items"})
    @ApiResponse(responseCode = "404", description = "Unknown conversation.")
    HttpResponse<byte[]> listItems(
            @Nullable @PathVariable String project,
            @PathVariable String id,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String order,
            @Nullable @QueryValue String after,
            HttpRequest<?> request,
            Caller caller) {
        StoredConversation conversation = find(request, caller, project, id, Capability.SESSION_READ, Use.READ);
        return ProtocolJson.response(ItemList.page(store.items(conversation), limit, order, after));
    }

    /**
     * Get an item. An item of a conversation.
     *
     * @param item Id of the item.
     * @return The item.
     */
    @Authenticated
    @Get(uris = {"/v1/conversations/{id}/items/{item}", "/v1/projects/{project}/conversations/{id}/items/{item}"})
    @ApiResponse(responseCode = "404", description = "Unknown conversation or item.")
    HttpResponse<byte[]> showItem(
            @Nullable @PathVariable String project,
            @PathVariable String id,
            @PathVariable String item,
            HttpRequest<?> request,
            Caller caller) {
        StoredConversation conversation = find(request, caller, project, id, Capability.SESSION_READ, Use.READ);
        for (JsonNode stored : store.items(conversation)) {
            if (stored.path("id").asText().equals(item)) {
                return ProtocolJson.response(stored);
            }
        }
        throw unknownItem(item);
    }

    /**
     * Delete an item. Deletes an item; the next response does not know it.
     *
     * @param item Id of the item.
     * @return The conversation.
     */
    @Authenticated
    @Audited(source = "conversation", action = "remove")
    @Delete(uris = {"/v1/conversations/{id}/items/{item}", "/v1/projects/{project}/conversations/{id}/items/{item}"})
    @ApiResponse(responseCode = "404", description = "Unknown conversation or item.")
    HttpResponse<byte[]> deleteItem(
            @Nullable @PathVariable String project,
            @PathVariable String id,
            @PathVariable String item,
            HttpRequest<?> request,
            Caller caller) {
        StoredConversation conversation = find(request, caller, project, id, Capability.SESSION_SEND, Use.MANAGE);
        if (!store.deleteItem(conversation, item)) {
            throw unknownItem(item);
        }
        return ProtocolJson.response(json(conversation));
    }

    private static ProtocolException unknownItem(String item) {
        return ProtocolException.notFound("item_not_found", "item_id", "Item with id '%s' not found.".formatted(item));
    }

    /** The items of a request: all can be read by the protocol's rules, and each has an id. */
    private ArrayNode items(Caller caller, Project project, RequestFields body) {
        if (body.has(ITEMS) && !body.get(ITEMS).isArray()) { // the input of a response may be a text
            throw body.invalid(ITEMS, "an array");
        }
        List<RequestFields> items =
                InputMessageReader.items(body, ITEMS, item -> responses.item(caller, project, item), false);
        if (items.size() > MAX_ADDED) {
            throw ProtocolException.invalid(ITEMS, "At most 20 items are taken at a time.");
        }
        var _ = InputMessageReader.messages(items);
        return InputItems.stored(items, new ResponseId(UUID.randomUUID()));
    }

    private StoredConversation find(
            HttpRequest<?> request,
            Caller caller,
            @Nullable String project,
            String id,
            Capability capability,
            Use use) {
        return store.find(caller, RequestContext.project(request, caller, project, capability), id, use)
                .orElseThrow(() -> unknown(id, "conversation_id"));
    }

    /** @param param the field that names it */
    static ProtocolException unknown(String id, String param) {
        return ProtocolException.notFound(
                "conversation_not_found", param, "Conversation with id '%s' not found.".formatted(id));
    }

    private static ObjectNode json(StoredConversation conversation) {
        ObjectNode json = ProtocolJson.object()
                .put("id", conversation.id().text())
                .put("object", "conversation")
                .put("created_at", conversation.createdAt().getEpochSecond());
        json.set("metadata", ProtocolJson.parse(conversation.metadata()));
        return json;
    }
}
