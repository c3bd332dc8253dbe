package dev.parley.agents.model.wire;

import dev.parley.agents.model.ModelFailure;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.turn.ErrorCategory;
import dev.parley.platform.blob.BlobStore;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** The bytes of files that a conversation has, in the forms in which models take them. */
public final class Attachments {
    /** What providers take in one request is about this much, written in base 64. */
    private static final long MOST = 20L << 20;

    private static final int MOST_TEXT = 256 << 10;
    private static final Set<String> IMAGES = Set.of("image/png", "image/jpeg", "image/gif", "image/webp");
    private static final Set<String> TEXTS =
            Set.of("application/json", "application/xml", "application/yaml", "application/x-yaml", "application/csv");

    private final BlobStore blobs;

    public Attachments(BlobStore blobs) {
        this.blobs = blobs;
    }

    /** How a model is shown a file. */
    public sealed interface Shown {
        /** As a picture. */
        record Image(String mimeType, String base64) implements Shown {}

        /** As a document that the provider reads. */
        record Pdf(String name, String base64) implements Shown {}

        /** As words: what it says, or that it cannot be shown. */
        record Words(String text) implements Shown {}
    }

    /** All files of a conversation. */
    public record Shows(Map<Block.File, Shown> shown) {
        /** How this one, which is in the conversation, is shown. */
        public Shown of(Block.File file) {
            return Objects.requireNonNull(shown.get(file), "a file of this conversation");
        }
    }

    /** What there is of the files of a conversation. @throws ModelFailure when one cannot be read now */
    public Shows show(List<Message> messages) throws ModelFailure {
        var shown = new HashMap<Block.File, Shown>();
        for (Message message : messages) {
            for (Block block : message.blocks()) {
                if (block instanceof Block.File file) {
                    shown.put(file, show(file));
                }
            }
        }
        return new Shows(shown);
    }

    /** What there is of a file. @throws ModelFailure when it cannot be read now */
    public Shown show(Block.File file) throws ModelFailure {
        String type = file.mimeType().replaceAll(";.*", "").strip().toLowerCase(Locale.ROOT);
        boolean text = type.startsWith("text/") || TEXTS.contains(type);
        Optional<Path> path = blobs.get(file.sha256());
        if (path.isEmpty()) {
            return words(file, "is not there any more");
        }
        if (file.size() > (text ? MOST_TEXT : MOST)) {
            return words(file, "is too large to be shown");
        }
        try {
            if (IMAGES.contains(type)) {
                return new Shown.Image(type, base64(path.get()));
            }
            if (type.equals("application/pdf")) {
                return new Shown.Pdf(file.name(), base64(path.get()));
            }
            return text
                    ? new Shown.Words("[file '%s', %s]\n%s"
                            .formatted(file.name(), type, Files.readString(path.get(), StandardCharsets.UTF_8)))
                    : words(file, "is of a kind that cannot be shown");
        } catch (MalformedInputException e) {
            return words(file, "is no text in UTF-8");
        } catch (IOException e) {
            throw new ModelFailure(ErrorCategory.SERVER, "the file %s cannot be read: %s".formatted(file.sha256(), e));
        }
    }

    private static Shown words(Block.File file, String what) {
        return new Shown.Words(
                "[file '%s', %s, %d bytes: %s]".formatted(file.name(), file.mimeType(), file.size(), what));
    }

    private static String base64(Path path) throws IOException {
        return Base64.getEncoder().encodeToString(Files.readAllBytes(path));
    }
}
