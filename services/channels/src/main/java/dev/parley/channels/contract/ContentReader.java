package dev.parley.channels.contract;

import dev.parley.channels.contract.InboundMessage.Attachment;
import dev.parley.channels.contract.InboundMessage.Content;
import dev.parley.domain.content.Block;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.http.ApiException;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Converts request content into blocks; files are stored as blobs. */
@Singleton
@Requires(property = "parley.role.channels", value = "true")
public final class ContentReader {
    static final int MAX_TEXT = 1 << 20;

    /** Many programs write base64 in lines. */
    private static final Pattern LINE_ENDS = Pattern.compile("[ \\t\\r\\n]+");

    private static final int MAX_PARTS = 64;
    private static final int MAX_NAME = 255;
    private static final Pattern MIME_TYPE = Pattern.compile("[\\w.+-]{1,100}/[\\w.+-]{1,100}");

    private final BlobStore blobs;

    /** @param blobs store of the files */
    public ContentReader(BlobStore blobs) {
        this.blobs = blobs;
    }

    /**
     * The blocks of a message, which is either a text or parts.
     *
     * @throws ApiException 400, 413
     */
    public List<Block> blocks(@Nullable String text, @Nullable List<Part> parts) {
        if ((text == null) == (parts == null)) {
            throw ApiException.badRequest("missing_field", "A message needs either 'text' or 'parts'");
        }
        if (text != null) {
            limit(length(text));
            return List.of(Block.text(text));
        }
        return parts(parts == null ? List.of() : parts);
    }

    private List<Block> parts(List<Part> parts) {
        requireFew(parts);
        return blocks(parts.stream().map(ContentReader::content).toList());
    }

    private static void requireFew(List<?> parts) {
        if (parts.size() > MAX_PARTS) {
            throw ApiException.badRequest("too_many_parts", "A message has at most " + MAX_PARTS + " parts");
        }
    }

    /**
     * The blocks of a message.
     *
     * @throws ApiException 400, 413
     */
    public List<Block> blocks(List<Content> content) {
        requireFew(content);
        var blocks = new ArrayList<Block>();
        long length = 0;
        for (Content part : content) {
            blocks.add(
                    switch (part) {
                        case InboundMessage.Text text -> {
                            length += length(text.text());
                            limit(length);
                            yield Block.text(text.text());
                        }
                        case Attachment file -> file(file.name(), file.mimeType(), file.bytes());
                    });
        }
        return blocks;
    }

    private static Content content(@Nullable Part part) {
        if (part == null) {
            throw ApiException.badRequest("invalid_part", "A part is an object");
        }
        return switch (part.kind() == null ? "" : part.kind()) {
            case "text" -> new InboundMessage.Text(requireText("text", part.text()));
            case "file" -> attachment(part);
            default -> throw ApiException.badRequest("invalid_part", "The 'kind' of a part is text or file");
        };
    }

    private static Attachment attachment(Part part) {
        String name = requireText("name", part.name());
        String type = part.mimeType() == null ? "application/octet-stream" : part.mimeType();
        try {
            String data = LINE_ENDS.matcher(requireText("data", part.data())).replaceAll("");
            return new Attachment(name, type, Base64.getDecoder().decode(data));
        } catch (IllegalArgumentException e) {
            throw ApiException.badRequest("invalid_part", "The 'data' of a file must be base64");
        }
    }

    /**
     * Stores a file.
     *
     * @throws ApiException 400, 413
     */
    public Block file(String name, String type, byte[] bytes) {
        if (requireEncodable(name).isBlank()
                || name.length() > MAX_NAME
                || !MIME_TYPE.matcher(type).matches()) {
            throw ApiException.badRequest(
                    "invalid_part",
                    "A file needs a 'name' of at most 255 characters and a 'mimeType' such as image/png");
        }
        try {
            BlobStore.Blob blob = blobs.put(new ByteArrayInputStream(bytes));
            return new Block.File(name, type, blob.size(), blob.sha256(), null, null);
        } catch (BlobStore.TooLargeException e) {
            throw ApiException.tooLarge(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new UncheckedIOException("the blob store", e);
        }
    }

    private static String requireText(String field, @Nullable String value) {
        if (value == null) {
            throw ApiException.badRequest("missing_field", "The field '" + field + "' is missing");
        }
        return value;
    }

    private static void limit(long bytes) {
        if (bytes > MAX_TEXT) {
            throw ApiException.tooLarge("A text has at most 1 MiB; send a longer one as a file.");
        }
    }

    /** Length in UTF-8; in characters where that exceeds the limit already. */
    private static long length(String text) {
        return text.length() > MAX_TEXT
                ? text.length()
                : requireEncodable(text).getBytes(StandardCharsets.UTF_8).length;
    }

    /**
     * The text.
     *
     * @throws ApiException 400 for an unpaired surrogate, which JSON can escape and UTF-8 cannot encode
     */
    public static String requireEncodable(String text) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw ApiException.badRequest("invalid_text", "A text contains an unpaired surrogate");
        }
        return text;
    }

    /** The mode with this name; followup by default. */
    public static MailboxMode mode(@Nullable String name) {
        if (name == null) {
            return MailboxMode.FOLLOWUP;
        }
        return Arrays.stream(MailboxMode.values())
                .filter(mode -> mode.name().toLowerCase(Locale.ROOT).equals(name))
                .findFirst()
                .orElseThrow(() -> ApiException.badRequest(
                        "invalid_mode", "The 'mode' is followup, steer, collect, interrupt or reject"));
    }
}
