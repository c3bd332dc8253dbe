package dev.parley.platform.testkit.telegram;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** The supported methods of the Bot API, and the parameters of each. Used under the lock. */
final class Methods {
    private static final String ENVELOPE = " chat_id:str message_thread_id:int direct_messages_topic_id:int"
            + " business_connection_id:str disable_notification:bool protect_content:bool allow_paid_broadcast:bool"
            + " message_effect_id:str reply_parameters:object reply_markup:object reply_to_message_id:int"
            + " allow_sending_without_reply:bool ephemeral_message_parameters:object";
    private static final String TEXT =
            " text:str parse_mode:str entities:array link_preview_options:object" + " disable_web_page_preview:bool";
    private static final String CAPTION =
            " caption:str parse_mode:str caption_entities:array" + " show_caption_above_media:bool";
    private static final String TARGET =
            " chat_id:str message_id:int inline_message_id:str reply_markup:object" + " business_connection_id:str";
    private static final Set<String> SCOPES = Set.of(
            "default",
            "all_private_chats",
            "all_group_chats",
            "all_chat_administrators",
            "chat",
            "chat_administrators",
            "chat_member");

    /**
     * An answer.
     *
     * @param description empty without one
     */
    record Answer(JsonNode result, String description) {}

    private record Method(String name, Map<String, String> params, BiFunction<Bot, Params, Answer> work) {}

    private final FakeTelegram fake;
    private final Map<String, Method> methods = new HashMap<>();

    Methods(FakeTelegram fake) {
        this.fake = fake;
        var sending = new Sending(fake);
        add("sendMessage", ENVELOPE + TEXT, sending::sendMessage);
        add("sendPhoto", ENVELOPE + CAPTION + " photo:str has_spoiler:bool", sending::sendPhoto);
        add(
                "sendDocument",
                ENVELOPE + CAPTION + " document:str thumbnail:str disable_content_type_detection:bool",
                sending::sendDocument);
        add("sendMediaGroup", ENVELOPE + " media:array", sending::sendMediaGroup);
        add("editMessageText", TARGET + TEXT + " rich_message:object", sending::editMessageText);
        String draft = " chat_id:int message_thread_id:int draft_id:int can_stop:bool keep_on_stop:bool";
        add("sendMessageDraft", draft + " text:str parse_mode:str entities:array", sending::sendMessageDraft);
        add("sendRichMessage", ENVELOPE + " rich_message:object", sending::sendRichMessage);
        add("editMessageReplyMarkup", TARGET, sending::editMessageReplyMarkup);
        add("deleteMessage", " chat_id:str message_id:int", sending::deleteMessage);
        add(
                "sendChatAction",
                " chat_id:str action:str message_thread_id:int business_connection_id:str",
                sending::sendChatAction);
        add(
                "answerCallbackQuery",
                " callback_query_id:str text:str show_alert:bool url:str cache_time:int",
                sending::answerCallbackQuery);
        add(
                "setMessageReaction",
                " chat_id:str message_id:int reaction:array is_big:bool",
                sending::setMessageReaction);
        add("getFile", " file_id:str", sending::getFile);
        add("getMe", "", (bot, params) -> me(bot));
        add("getUpdates", " offset:int limit:int timeout:int allowed_updates:array", this::getUpdates);
        receiving();
        commands();
    }

    private void receiving() {
        addDescribed(
                "setWebhook",
                " url:str certificate:str ip_address:str max_connections:int allowed_updates:array"
                        + " drop_pending_updates:bool secret_token:str",
                (bot, params) -> new Answer(BooleanNode.TRUE, bot.webhook.set(params)));
        addDescribed(
                "deleteWebhook",
                " drop_pending_updates:bool",
                (bot, params) -> new Answer(BooleanNode.TRUE, bot.webhook.delete(params)));
        add("getWebhookInfo", "", (bot, params) -> bot.webhook.info());
    }

    private void commands() {
        String scopeParams = " scope:object language_code:str";
        add("setMyCommands", scopeParams + " commands:array", this::setMyCommands);
        add("getMyCommands", scopeParams, (bot, params) -> {
            JsonNode commands = bot.commands.get(scope(params));
            return commands == null ? Json.array() : commands;
        });
        add("deleteMyCommands", scopeParams, (bot, params) -> {
            bot.commands.remove(scope(params));
            return BooleanNode.TRUE;
        });
        add("setChatMenuButton", " chat_id:int menu_button:object", Methods::setChatMenuButton);
    }

    private void add(String name, String params, BiFunction<Bot, Params, JsonNode> work) {
        addDescribed(name, params, (bot, arguments) -> new Answer(work.apply(bot, arguments), ""));
    }

    private void addDescribed(String name, String params, BiFunction<Bot, Params, Answer> work) {
        var types = new HashMap<String, String>();
        for (String param : params.strip().split(" ")) {
            if (!param.isEmpty()) {
                types.put(param.substring(0, param.indexOf(':')), param.substring(param.indexOf(':') + 1));
            }
        }
        methods.put(name.toLowerCase(Locale.ROOT), new Method(name, types, work));
    }

    /** The name as the documentation writes it, null if there is no such method. */
    @Nullable
    String name(String anyCase) {
        Method method = methods.get(anyCase.toLowerCase(Locale.ROOT));
        return method == null ? null : method.name();
    }

    /**
     * Carries out a call.
     *
     * @throws ApiError if it is rejected
     */
    Answer call(Bot bot, String name, Params params) {
        Method method = methods.get(name.toLowerCase(Locale.ROOT));
        if (method == null || method.name().matches("sendMessageDraft|sendRichMessage") && !fake.knowsDrafts()) {
            throw ApiError.of(404, "Not Found: method not found");
        }
        params.check(method.params(), unknown -> fake.odd(name + " with the unknown parameter " + unknown));
        return method.work().apply(bot, params);
    }

    private static JsonNode me(Bot bot) {
        return bot.json()
                .put("can_join_groups", true)
                .put("can_read_all_group_messages", true)
                .put("supports_inline_queries", false)
                .put("can_connect_to_business", false)
                .put("has_main_web_app", false)
                .put("has_topics_enabled", false);
    }

    private JsonNode getUpdates(Bot bot, Params params) {
        if (bot.webhook.active()) {
            throw ApiError.conflict(
                    "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first");
        }
        bot.queue.allow(params.tree("allowed_updates"));
        int limit = params.has("limit") ? Math.clamp(params.integer("limit"), 1, 100) : 100;
        var timeout =
                Duration.ofSeconds(Math.clamp(params.integer("timeout"), 0L, UpdateQueue.LONGEST_POLL.toSeconds()));
        List<Update> updates =
                bot.queue.poll(params.integer("offset"), limit, timeout, () -> fake.closed() || fake.down());
        fake.checkUp();
        ArrayNode json = Json.array();
        updates.forEach(update -> json.add(update.json()));
        return json;
    }

    private JsonNode setMyCommands(Bot bot, Params params) {
        JsonNode commands = params.tree("commands");
        if (commands.size() > 100) {
            throw ApiError.bad("BOT_COMMANDS_TOO_MUCH");
        }
        ArrayNode stored = Json.array();
        for (JsonNode command : commands) {
            String name = command.path("command").asText().replaceFirst("^/", "");
            String description = command.path("description").asText();
            if (!name.matches("[a-z0-9_]{1,32}")) {
                throw ApiError.bad("BOT_COMMAND_INVALID");
            }
            if (description.isBlank() || description.length() > 256) {
                throw ApiError.bad("BOT_COMMAND_DESCRIPTION_INVALID");
            }
            ObjectNode kept = stored.addObject().put("command", name).put("description", description);
            if (fake.knowsDrafts() && command.path("is_ephemeral").asBoolean()) {
                kept.put("is_ephemeral", true);
            }
        }
        bot.commands.put(scope(params), stored);
        return BooleanNode.TRUE;
    }

    private static String scope(Params params) {
        JsonNode scope = params.tree("scope");
        String type = scope.isNull() ? "default" : scope.path("type").asText();
        if (!SCOPES.contains(type)) {
            throw ApiError.bad("can't parse BotCommandScope: unsupported type specified");
        }
        ObjectNode key = Json.object().put("type", type);
        for (String field : List.of("chat_id", "user_id")) {
            if (scope.has(field)) {
                key.set(field, scope.get(field));
            }
        }
        return key + params.text("language_code");
    }

    private static JsonNode setChatMenuButton(Bot bot, Params params) {
        long id = params.integer("chat_id");
        Chat chat = bot.chats.get(id);
        if (id != 0 && (chat == null || !chat.isPrivate())) {
            throw ApiError.bad("chat not found");
        }
        bot.menuButtons.put(id, params.tree("menu_button"));
        return BooleanNode.TRUE;
    }
}
