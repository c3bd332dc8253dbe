package dev.parley.platform.testkit.telegram;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A file that Telegram keeps.
 *
 * @param path below {@code /file/bot<token>/}
 */
public record StoredFile(String id, String path, String name, String type, byte[] bytes) {
    /** The largest that bots may download. */
    static final int DOWNLOAD_LIMIT = 20 << 20;

    ObjectNode json() {
        return Json.object().put("file_id", id).put("file_unique_id", "u" + id).put("file_size", bytes.length);
    }

    ObjectNode documentJson() {
        return json().put("file_name", name).put("mime_type", type);
    }
}
