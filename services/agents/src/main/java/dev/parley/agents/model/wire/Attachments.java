package dev.parley.agents.model.wire;

import dev.parley.agents.model.ModelFailure;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.ProviderItem;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.platform.blob.BlobStore;
import java.io.ByteArrayInputStream;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The bytes of files that a conversation has, in the forms in which models take them. */
public final class Attachments {
    /** What providers take in one request is about this much, written in base 64. */
    private static final long MOST = 20L << 20;

    private static final Logger LOG = LoggerFactory.getLogger(Attachments.class);
    private static final int MOST_TEXT = 256 << 10;
    /** The least that a provider takes of one picture: 5 MB in base 64. */
    private static final long MOST_IMAGE = 3_750_000;

    private static final Set<String> IMAGES = Set.of("image/png", "image/jpeg", "image/gif", "image/webp");

    /** How the bytes of each kind begin, as characters of ISO 8859-1. */
    private static final Map<String, String> MAGIC = Map.of(
            "(?s)\\x89PNG.*", "image/png",
            "(?s)\\xff\\xd8\\xff.*", "image/jpeg",
            "(?s)GIF8.*", "image/gif",
            "(?s)RIFF....WEBP.*", "image/webp",
            "(?s)%PDF.*", "application/pdf");

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
    public record ShownFiles(Map<Block.File, Shown> shown) {
        /** How this one, which is in the conversation, is shown. */
        public Shown of(Block.File file) {
            return Objects.requireNonNull(shown.get(file), "a file of this conversation");
        }
    }

    /**
     * A picture that a model made, for the person.
     *
     * @param base64 its bytes
     * @param raw the provider's item without them, or null where it does not want it back
     * @return the file, or words where it could not be kept; empty where these are no bytes of a picture
     */
    public Optional<Block> keep(String base64, @Nullable ProviderItem raw) {
        byte[] bytes;
        try {
            bytes = Base64.getMimeDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        String type = type(bytes);
        if (!IMAGES.contains(type)) {
            return Optional.empty();
        }
        String name = "image." + type.substring("image/".length());
        try {
            BlobStore.Blob blob = blobs.put(new ByteArrayInputStream(bytes));
            return Optional.of(new Block.File(name, type, blob.size(), blob.sha256(), null, raw));
        } catch (IOException e) {
            LOG.atWarn().addKeyValue("bytes", bytes.length).setCause(e).log("image of a model could not be stored");
            boolean large = e instanceof BlobStore.TooLargeException;
            return Optional.of(
                    Block.text("[%s could not be kept%s]".formatted(name, large ? ": it is too large" : "")));
        }
    }

    /**
     * What there is of the files of a conversation. The newest come first where not all of them can be shown.
     *
     * @throws ModelFailure when one cannot be read now
     */
    public ShownFiles show(List<Message> messages) throws ModelFailure {
        var shown = new HashMap<Block.File, Shown>();
        long left = MOST;
        for (Message message : messages.reversed()) {
            for (Block block : message.blocks().reversed()) {
                if (block instanceof Block.File recording && recording.isRecording()) {
                    shown.put(recording, said(recording));
                } else if (block instanceof Block.File file && !shown.containsKey(file)) {
                    shown.put(file, file.size() > left ? words(file, "is too large to be shown") : show(file));
                    left -= file.size() > left ? 0 : file.size();
                }
            }
        }
        return new ShownFiles(shown);
    }

    private static Shown said(Block.File recording) {
        String text = recording.transcript();
        if (text == null) {
            return words(recording, "cannot be listened to");
        }
        return text.isEmpty()
                ? words(recording, "nothing can be understood in it")
                : new Shown.Words("[recording '%s']\n%s".formatted(recording.name(), text));
    }

    private Shown show(Block.File file) throws ModelFailure {
        String said = file.mimeType().replaceAll(";.*", "").strip().toLowerCase(Locale.ROOT);
        boolean text = said.startsWith("text/") || TEXTS.contains(said);
        Optional<Path> path = blobs.get(file.sha256());
        if (path.isEmpty()) {
            return words(file, "is not there any more");
        }
        if (file.size() > (text ? MOST_TEXT : IMAGES.contains(said) ? MOST_IMAGE : MOST)) {
            return words(file, "is too large to be shown");
        }
        try {
            return text ? text(file, said, path.get()) : bytes(file, Files.readAllBytes(path.get()));
        } catch (IOException e) {
            // Not the provider's fault, and perhaps gone in a moment.
            throw new ModelFailure(ErrorCategory.LOST, "the file %s cannot be read: %s".formatted(file.sha256(), e));
        }
    }

    private static Shown text(Block.File file, String type, Path path) throws IOException {
        try {
            return new Shown.Words("[file '%s', %s]\n%s".formatted(file.name(), type, Files.readString(path)));
        } catch (MalformedInputException e) {
            return words(file, "is no text in UTF-8");
        }
    }

    /** What it is say its first bytes: a provider refuses a request with a picture that is another one than it says. */
    private static Shown bytes(Block.File file, byte[] bytes) {
        String type = type(bytes);
        return switch (type) {
            case "" -> words(file, "is of a kind that cannot be shown");
            case "application/pdf" ->
                new Shown.Pdf(file.name(), Base64.getEncoder().encodeToString(bytes));
            default ->
                bytes.length > MOST_IMAGE
                        ? words(file, "is too large to be shown")
                        : new Shown.Image(type, Base64.getEncoder().encodeToString(bytes));
        };
    }

    private static String type(byte[] bytes) {
        return MAGIC.entrySet().stream()
                .filter(magic -> begins(bytes, magic.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("");
    }

    /** The type of a picture that every provider takes, by its bytes. */
    static Optional<String> pictureType(byte[] bytes) {
        String type = type(bytes);
        return IMAGES.contains(type) && bytes.length <= MOST_IMAGE ? Optional.of(type) : Optional.empty();
    }

    private static boolean begins(byte[] bytes, String magic) {
        return new String(bytes, 0, Math.min(bytes.length, 12), StandardCharsets.ISO_8859_1).matches(magic);
    }

    private static Shown words(Block.File file, String what) {
        return new Shown.Words(
                "[file '%s', %s, %d bytes: %s]".formatted(file.name(), file.mimeType(), file.size(), what));
    }
}
