package dev.parley.channels.whatsapp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.contract.ClippedText;
import dev.parley.channels.contract.Piece;
import java.util.Locale;
import java.util.Set;

/**
 * How a file is sent.
 *
 * @param type of message: {@code image}, {@code audio}, {@code video} or {@code document}
 * @param mimeType under which it is uploaded: WhatsApp refuses those that it does not know
 * @see <a href="https://developers.facebook.com/documentation/business-messaging/whatsapp/business-phone-numbers/media">media</a>
 */
record OutgoingFile(Piece.Document file, String type, String mimeType) {
    private static final Set<String> IMAGES = Set.of("image/jpeg", "image/png");
    private static final Set<String> AUDIO = Set.of("audio/aac", "audio/mp4", "audio/mpeg", "audio/amr", "audio/ogg");
    private static final Set<String> VIDEO = Set.of("video/mp4", "video/3gpp");
    private static final int MAX_IMAGE = 5 << 20;
    private static final int MAX_AUDIO_OR_VIDEO = 16 << 20;
    private static final int MAX_CAPTION = 1_024;
    private static final int MAX_NAME = 240;

    static OutgoingFile of(Piece.Document file) {
        String mimeType = file.mimeType().toLowerCase(Locale.ROOT).replaceFirst("\\s*;.*", "");
        int size = file.bytes().length;
        String type = IMAGES.contains(mimeType) && size <= MAX_IMAGE
                ? "image"
                : AUDIO.contains(mimeType) && size <= MAX_AUDIO_OR_VIDEO
                        ? "audio"
                        : VIDEO.contains(mimeType) && size <= MAX_AUDIO_OR_VIDEO ? "video" : "document";
        boolean isText = mimeType.startsWith("text/") || mimeType.matches("application/(json|xml|yaml)");
        return new OutgoingFile(file, type, isText ? "text/plain" : mimeType);
    }

    /** The message that shows an uploaded file. */
    ObjectNode show(ObjectNode message, String id) {
        ObjectNode content = message.put("type", type).putObject(type).put("id", id);
        if (type.equals("document")) {
            content.put("filename", ClippedText.within(file.name(), MAX_NAME));
        }
        String caption = file.caption().plain();
        if (!type.equals("audio") && !caption.isBlank() && !caption.equals(file.name())) {
            content.put("caption", ClippedText.within(caption, MAX_CAPTION));
        }
        return message;
    }
}
