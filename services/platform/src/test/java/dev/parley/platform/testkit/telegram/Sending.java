package dev.parley.platform.testkit.telegram;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The methods by which a bot writes to people. Used under the lock. */
final class Sending {
    private static final int LONGEST_TEXT = 4_096;
    private static final int LONGEST_CAPTION = 1_024;
    private static final int LONGEST_SOURCE = 32_768;
    private static final int LARGEST_PHOTO = 10 << 20;
    private static final int LARGEST_FILE = 50 << 20;
    private static final Duration PRESS_LIVES = Duration.ofSeconds(150);
    private static final Set<String> ACTIONS = Set.of(
            "typing",
            "upload_photo",
            "record_video",
            "upload_video",
            "record_voice",
            "upload_voice",
            "upload_document",
            "choose_sticker",
            "find_location",
            "record_video_note",
            "upload_video_note");
    private static final Set<String> REACTIONS = Set.of(
            ("👍 👎 ❤ 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡 🥱 🥴 😍 🐳 ❤‍🔥 🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 🤨 😐 🍓 🍾 💋 🖕 😈 😴 😭 🤓 "
                            + "👻 👨‍💻 👀 🎃 🙈 😇 😨 🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🗿 🆒 💘 🙉 🦄 😘 💊 🙊 😎 👾 🤷‍♂ 🤷 🤷‍♀ 😡")
                    .split(" "));

    private final FakeTelegram fake;

    Sending(FakeTelegram fake) {
        this.fake = fake;
    }

    JsonNode sendMessage(Bot bot, Params params) {
        Chat chat = chat(bot, params);
        FormattedText text = text(params);
        ObjectNode content = Shapes.text("text", text);
        JsonNode alone = params.tree("ephemeral_message_parameters");
        if (fake.knowsDrafts() && !alone.isNull()) {
            long asked =
                    params.tree("reply_parameters").path("ephemeral_message_id").asLong();
            chat.checkAlone(bot, alone.path("receiver_user_id").asLong(), asked, fake.now());
            fake.pacing().take(bot, chat, 1, false, fake.now());
            return chat.sendAlone(bot, content, alone.path("receiver_user_id").asLong());
        }
        int thread = envelope(chat, params, content);
        fake.pacing().take(bot, chat, 1, false, fake.now());
        return chat.send(bot, thread, content, params.text("text"), null);
    }

    JsonNode sendRichMessage(Bot bot, Params params) {
        Chat chat = chat(bot, params);
        ObjectNode content = RichMessage.read(params.tree("rich_message"));
        int thread = envelope(chat, params, content);
        fake.pacing().take(bot, chat, 1, false, fake.now());
        return chat.send(bot, thread, content, content.path("text").asText(), null);
    }

    JsonNode sendMessageDraft(Bot bot, Params params) {
        Chat chat = chat(bot, params);
        if (!chat.isPrivate()) {
            throw ApiError.bad("TEXTDRAFT_PEER_INVALID");
        }
        long draft = params.integer("draft_id");
        if (draft == 0) {
            throw ApiError.bad("RANDOM_ID_INVALID");
        }
        FormattedText text = params.text("text").isEmpty() ? null : text(params);
        int thread = chat.checkThread((int) params.integer("message_thread_id"));
        fake.pacing().take(bot, chat, 1, true, fake.now());
        chat.draft(bot, thread, draft, text == null ? "" : text.text(), params.flag("can_stop"));
        return BooleanNode.TRUE;
    }

    JsonNode editMessageText(Bot bot, Params params) {
        Chat chat = chat(bot, params);
        int id = messageId(params);
        if (!fake.knowsDrafts() && params.tree("reply_markup").findValue("disabled") != null) {
            throw ApiError.bad("can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard");
        }
        boolean rich = fake.knowsDrafts() && !params.tree("rich_message").isNull();
        ObjectNode content = rich ? RichMessage.read(params.tree("rich_message")) : Shapes.text("text", text(params));
        keyboard(params, content);
        Message old = own(bot, chat, id);
        if (!old.json().has("text")) {
            throw ApiError.bad("there is no text in the message to edit");
        }
        fake.pacing().take(bot, chat, 1, true, fake.now());
        ObjectNode json = old.json().deepCopy();
        json.remove(List.of("text", "rich_message", "entities", "reply_markup"));
        json.setAll(content);
        return replaced(
                chat,
                old,
                json,
                old.edited(dated(json), rich ? content.path("text").asText() : params.text("text")));
    }

    JsonNode editMessageReplyMarkup(Bot bot, Params params) {
        Chat chat = chat(bot, params);
        int id = messageId(params);
        ObjectNode content = Json.object();
        keyboard(params, content);
        Message old = own(bot, chat, id);
        fake.pacing().take(bot, chat, 1, true, fake.now());
        ObjectNode json = old.json().deepCopy();
        json.remove("reply_markup");
        json.setAll(content);
        return replaced(chat, old, json, old.withKeyboard(dated(json)));
    }

    private ObjectNode dated(ObjectNode json) {
        return json.deepCopy().put("edit_date", fake.now().getEpochSecond());
    }

    private static JsonNode replaced(Chat chat, Message old, ObjectNode json, Message edited) {
        if (json.equals(old.json())) {
            throw ApiError.bad("message is not modified: specified new message content and reply markup are exactly "
                    + "the same as a current content and reply markup of the message");
        }
        chat.replace(edited);
        return edited.json();
    }

    JsonNode deleteMessage(Bot bot, Params params) {
        Chat chat = chat(bot, params);
        Message message = chat.find(messageId(params));
        if (message == null) {
            throw ApiError.bad("message to delete not found");
        }
        if (message.bot() != bot && !chat.isPrivate()) {
            throw ApiError.bad("message can't be deleted");
        }
        chat.remove(message.id());
        return BooleanNode.TRUE;
    }

    JsonNode sendChatAction(Bot bot, Params params) {
        Chat chat = chat(bot, params);
        String action = params.text("action").toLowerCase(Locale.ROOT);
        if (!ACTIONS.contains(action)) {
            throw ApiError.bad("wrong parameter action in request");
        }
        fake.pacing().takeTyping(bot, chat, fake.now());
        chat.event(Event.Kind.ACTION, 0, action);
        return BooleanNode.TRUE;
    }

    JsonNode answerCallbackQuery(Bot bot, Params params) {
        Bot.Press press = bot.presses.get(params.text("callback_query_id"));
        String text = params.text("text");
        if (press == null || press.answered || fake.now().isAfter(press.at.plus(PRESS_LIVES))) {
            throw ApiError.bad("query is too old and response timeout expired or query ID is invalid");
        }
        if (text.length() > 200) {
            throw ApiError.bad("MESSAGE_TOO_LONG");
        }
        press.answered = true;
        press.chat.event(Event.Kind.PRESS_ANSWERED, 0, text);
        return BooleanNode.TRUE;
    }

    JsonNode setMessageReaction(Bot bot, Params params) {
        Chat chat = chat(bot, params);
        Message message = chat.find(messageId(params));
        if (message == null) {
            throw ApiError.bad("message to react not found");
        }
        JsonNode reactions = params.tree("reaction");
        if (reactions.size() > 1) {
            throw ApiError.bad("REACTIONS_TOO_MANY");
        }
        String emoji =
                reactions.isEmpty() ? null : reactions.get(0).path("emoji").asText();
        if (emoji != null && !REACTIONS.contains(emoji)) {
            throw ApiError.bad("REACTION_INVALID");
        }
        chat.react(message, emoji);
        return BooleanNode.TRUE;
    }

    JsonNode sendPhoto(Bot bot, Params params) {
        return sendFile(bot, params, "photo");
    }

    JsonNode sendDocument(Bot bot, Params params) {
        return sendFile(bot, params, "document");
    }

    private JsonNode sendFile(Bot bot, Params params, String kind) {
        StoredFile file = file(params, params.text(kind), kind);
        ObjectNode content = media(kind, file, params.text("caption"), params.text("parse_mode"), entities(params));
        Chat chat = chat(bot, params);
        int thread = envelope(chat, params, content);
        fake.pacing().take(bot, chat, 1, false, fake.now());
        return chat.send(bot, thread, content, params.text("caption"), file);
    }

    JsonNode sendMediaGroup(Bot bot, Params params) {
        JsonNode media = params.tree("media");
        if (media.isEmpty()) {
            throw ApiError.bad("there are no messages to send");
        }
        var contents = new ArrayList<ObjectNode>();
        var files = new ArrayList<StoredFile>();
        for (JsonNode item : media) {
            String kind = item.path("type").asText();
            if (!kind.equals("photo") && !kind.equals("document")) {
                throw ApiError.bad("can't parse InputMedia: type \"" + kind + "\" can't be used in sendMediaGroup");
            }
            files.add(file(params, item.path("media").asText(), kind));
            contents.add(media(
                    kind,
                    files.getLast(),
                    item.path("caption").asText(),
                    item.path("parse_mode").asText(),
                    item.path("caption_entities")));
        }
        album(media);
        Chat chat = chat(bot, params);
        String group = Long.toString(fake.nextNumber());
        int thread = 0;
        for (ObjectNode content : contents) {
            thread = envelope(chat, params, content);
            if (contents.size() > 1) {
                content.put("media_group_id", group);
            }
        }
        fake.pacing().take(bot, chat, contents.size(), false, fake.now());
        ArrayNode sent = Json.array();
        for (int i = 0; i < contents.size(); i++) {
            sent.add(chat.send(
                    bot, thread, contents.get(i), media.get(i).path("caption").asText(), files.get(i)));
        }
        return sent;
    }

    private static void album(JsonNode media) {
        if (media.size() > 10) {
            throw ApiError.bad("too many messages to send as an album");
        }
        if (Set.copyOf(media.findValuesAsText("type")).size() > 1) {
            throw ApiError.bad("document can't be mixed with other media types");
        }
    }

    JsonNode getFile(Bot bot, Params params) {
        String id = params.text("file_id");
        StoredFile file = fake.file(id);
        if (file == null) {
            throw ApiError.bad(id.isEmpty() ? "file_id not specified" : "invalid file_id");
        }
        if (file.bytes().length > StoredFile.DOWNLOAD_LIMIT) {
            throw ApiError.bad("file is too big");
        }
        return file.json().put("file_id", id).put("file_path", file.path());
    }

    // Common parts

    private Chat chat(Bot bot, Params params) {
        String name = params.text("chat_id");
        if (name.isEmpty()) {
            throw ApiError.bad("chat_id is empty");
        }
        Long id = name.matches("-?\\d{1,18}") ? Long.valueOf(name) : null;
        Chat chat = bot.chats.get(id);
        if (chat == null) {
            throw fake.knows(id)
                    ? ApiError.forbidden("bot can't initiate conversation with a user")
                    : ApiError.bad("chat not found");
        }
        Chat migrated = chat.migratedTo();
        if (migrated != null) {
            throw new ApiError(
                    400,
                    "Bad Request: group chat was upgraded to a supergroup chat",
                    Json.object().put("migrate_to_chat_id", migrated.id()));
        }
        if (chat.isShutOut(bot)) {
            throw ApiError.forbidden(
                    switch (chat.type()) {
                        case PRIVATE -> "bot was blocked by the user";
                        case GROUP -> "bot was kicked from the group chat";
                        case SUPERGROUP -> "bot was kicked from the supergroup chat";
                    });
        }
        return chat;
    }

    private static int messageId(Params params) {
        long id = params.integer("message_id");
        if (id <= 0) {
            throw ApiError.bad("message identifier is not specified");
        }
        return (int) Math.min(id, Integer.MAX_VALUE);
    }

    private static Message own(Bot bot, Chat chat, int id) {
        Message message = chat.find(id);
        if (message == null) {
            throw ApiError.bad("message to edit not found");
        }
        if (message.bot() != bot) {
            throw ApiError.bad("message can't be edited");
        }
        return message;
    }

    /** Adds the common fields of a message; returns its thread. */
    private static int envelope(Chat chat, Params params, ObjectNode content) {
        keyboard(params, content);
        int thread = chat.checkThread((int) params.integer("message_thread_id"));
        JsonNode reply = params.tree("reply_parameters");
        long to = reply.path("message_id").asLong(params.integer("reply_to_message_id"));
        boolean optional =
                reply.path("allow_sending_without_reply").asBoolean() || params.flag("allow_sending_without_reply");
        if (to != 0) {
            ObjectNode quoted = chat.quotedOrNull((int) to);
            if (quoted == null && !optional) {
                throw ApiError.bad("message to be replied not found");
            }
            if (quoted != null) {
                quote(reply.path("quote").asText(), quoted, content);
                content.set("reply_to_message", quoted);
            }
        }
        return thread;
    }

    private static void quote(String quote, ObjectNode quoted, ObjectNode content) {
        if (!quote.isEmpty()) {
            if (quote.length() > LONGEST_CAPTION
                    || !quoted.path("text").asText().contains(quote)) {
                throw ApiError.bad("QUOTE_TEXT_INVALID");
            }
            content.putObject("quote").put("text", quote).put("is_manual", true);
        }
    }

    private static void keyboard(Params params, ObjectNode content) {
        JsonNode keyboard = Keyboards.read(params);
        if (keyboard != null) {
            content.set("reply_markup", keyboard);
        }
    }

    private static JsonNode entities(Params params) {
        return params.tree("caption_entities");
    }

    private FormattedText text(Params params) {
        String source = params.text("text");
        if (source.isEmpty()) {
            throw ApiError.bad("message text is empty");
        }
        FormattedText text = parse(source, params.text("parse_mode"), params.tree("entities"));
        if (text.unseen()) {
            throw ApiError.bad("text must be non-empty");
        }
        if (text.characters() > LONGEST_TEXT) {
            throw ApiError.bad("message is too long");
        }
        return text;
    }

    private FormattedText parse(String source, String mode, JsonNode entities) {
        if (source.getBytes(StandardCharsets.UTF_8).length > LONGEST_SOURCE) {
            throw ApiError.bad("text is too long");
        }
        FormattedText parsed = switch (mode.toLowerCase(Locale.ROOT)) {
            case "html" -> TelegramHtml.parse(source);
            case "", "none" -> FormattedText.of(source, entities);
            case "markdown", "markdownv2" ->
                throw new UnsupportedOperationException("the fake reads no parse_mode " + mode);
            default -> throw ApiError.bad("unsupported parse_mode");
        };
        if (parsed.entities().size() > FormattedText.MOST_ENTITIES) {
            fake.odd("a text with " + parsed.entities().size() + " entities");
        }
        return parsed.fixed();
    }

    private ObjectNode media(String kind, StoredFile file, String caption, String mode, JsonNode entities) {
        FormattedText text = parse(caption, mode, entities);
        if (text.characters() > LONGEST_CAPTION) {
            throw ApiError.bad("message caption is too long");
        }
        ObjectNode content = text.text().isEmpty() ? Json.object() : Shapes.text("caption", text);
        content.set(kind, kind.equals("photo") ? Shapes.photo(file) : file.documentJson());
        return content;
    }

    /** @param name an id, a part of the call, or empty for the part that is named like the kind */
    private StoredFile file(Params params, String name, String kind) {
        String part = name.startsWith("attach://") ? name.substring(9) : name.isEmpty() ? kind : null;
        if (part == null) {
            return stored(name);
        }
        Params.Upload upload = params.file(part);
        if (upload == null) {
            throw ApiError.bad(
                    name.isEmpty()
                            ? "there is no " + kind + " in the request"
                            : "can't parse InputMedia: media not found");
        }
        int size = upload.bytes().length;
        if (size > LARGEST_FILE) {
            throw ApiError.of(413, "Request Entity Too Large");
        }
        if (size == 0) {
            throw ApiError.bad("file must be non-empty");
        }
        if (kind.equals("photo")) {
            photo(upload.bytes());
        }
        return fake.keep(kind + "s", upload.name(), upload.type(), upload.bytes());
    }

    private StoredFile stored(String id) {
        StoredFile file = fake.file(id);
        if (file == null) {
            throw ApiError.bad(
                    id.contains(".") ? "failed to get HTTP URL content" : "wrong file identifier/HTTP URL specified");
        }
        return file;
    }

    private static void photo(byte[] bytes) {
        if (bytes.length > LARGEST_PHOTO) {
            throw ApiError.bad("file of size " + bytes.length
                    + " bytes is too big for a photo; the maximum size is 10485760 bytes");
        }
        String head = new String(bytes, 0, Math.min(bytes.length, 12), StandardCharsets.ISO_8859_1);
        if (!head.matches("(?s)(\u00ff\u00d8\u00ff|\u0089PNG|GIF8|BM|RIFF....WEBP).*")) {
            throw ApiError.bad("IMAGE_PROCESS_FAILED");
        }
        if (head.startsWith("\u0089PNG") && bytes.length >= 24) {
            dimensions(ByteBuffer.wrap(bytes, 16, 8));
        }
    }

    private static void dimensions(ByteBuffer header) {
        int width = header.getInt();
        int height = header.getInt();
        boolean slim = width > 20L * height || height > 20L * width;
        if (width <= 0 || height <= 0 || slim || (long) width + height > 10_000) {
            throw ApiError.bad("PHOTO_INVALID_DIMENSIONS");
        }
    }
}
