package dev.parley.agents.model.wire;

import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The form in which a model receives a file. */
public sealed interface FileContent {
    /** An image of a type and size that providers accept. */
    record Image(String mimeType, String base64) implements FileContent {
        private static final Pattern DATA = Pattern.compile("\\s*data:image/[a-z+.-]+;base64,([A-Za-z0-9+/=]+)\\s*");

        /** The image of a data URL; empty for anything else, and for unsupported images. */
        public static Optional<Image> of(String url) {
            Matcher data = DATA.matcher(url);
            if (!data.matches()) {
                return Optional.empty();
            }
            try {
                String base64 = data.group(1);
                return Attachments.imageType(Base64.getDecoder().decode(base64)).map(type -> new Image(type, base64));
            } catch (IllegalArgumentException e) {
                return Optional.empty();
            }
        }

        /** The image of a tool result that is a data URL, or an object with one under {@code image_url}. */
        public static Optional<Image> in(String result) {
            return of(object(result).at("image_url").string(result));
        }

        /** A result that is a JSON object; else missing. */
        public static VerbatimJson object(String result) {
            return result.stripLeading().startsWith("{") ? VerbatimJson.orMissing(result) : VerbatimJson.MISSING;
        }

        /** The data URL, with the type determined by the magic bytes. */
        public String url() {
            return "data:" + mimeType + ";base64," + base64;
        }
    }

    /** A document that the provider reads. */
    record Pdf(String name, String base64) implements FileContent {}

    /** Text: the content, or the reason why it cannot be shown. */
    record Text(String text) implements FileContent {}
}
