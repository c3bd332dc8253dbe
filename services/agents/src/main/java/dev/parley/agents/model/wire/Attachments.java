package dev.parley.agents.model.wire;

import dev.parley.agents.model.ModelFailure;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.ProviderItem;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.outbound.EncodedText;
import dev.parley.platform.outbound.TextDecoder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
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
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Converts the files of a conversation to the forms that models accept, and stores generated images. */
public final class Attachments {
    /** Maximum bytes of files in one request, about what providers accept in Base64. */
    private static final Pattern LABEL = Pattern.compile("(?i).*;\\s*charset=\"?([^\";]+).*");

    private static final long MAX_TOTAL = 20L << 20;

    private static final Logger LOG = LoggerFactory.getLogger(Attachments.class);
    private static final int MAX_TEXT = 256 << 10;
    /** Maximum bytes of one image, the lowest limit of all providers: 5 MB in Base64. */
    private static final long MAX_IMAGE = 3_750_000;

    private static final Set<String> IMAGES = Set.of("image/png", "image/jpeg", "image/gif", "image/webp");

    /** MIME types by their magic bytes, as characters of ISO 8859-1. */
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

    /** The files of a conversation. */
    public record FileContents(Map<Block.File, FileContent> byFile) {
        /** The form of a file of this conversation. */
        public FileContent of(Block.File file) {
            return Objects.requireNonNull(byFile.get(file), "a file of this conversation");
        }
    }

    /**
     * Stores an image that a model generated.
     *
     * @param base64 the image
     * @param raw the provider's item without the image, or null if it is not sent back
     * @return the file, or a text if it could not be stored; empty if these are not the bytes of an image
     */
    public Optional<Block> store(String base64, @Nullable ProviderItem raw) {
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
     * Converts the files of a conversation; the newest take precedence if not all of them fit.
     *
     * @throws ModelFailure when a file cannot be read now
     */
    public FileContents load(List<Message> messages) throws ModelFailure {
        var contents = new HashMap<Block.File, FileContent>();
        long remaining = MAX_TOTAL;
        for (Message message : messages.reversed()) {
            for (Block block : message.blocks().reversed()) {
                if (block instanceof Block.File recording && recording.isRecording()) {
                    contents.put(recording, transcript(recording));
                } else if (block instanceof Block.File file && !contents.containsKey(file)) {
                    contents.put(
                            file, file.size() > remaining ? placeholder(file, "is too large to be shown") : load(file));
                    remaining -= file.size() > remaining ? 0 : file.size();
                }
            }
        }
        return new FileContents(contents);
    }

    private static FileContent transcript(Block.File recording) {
        String text = recording.transcript();
        if (text == null) {
            return placeholder(recording, "cannot be listened to");
        }
        return text.isEmpty()
                ? placeholder(recording, "nothing can be understood in it")
                : new FileContent.Text("[recording '%s']\n%s".formatted(recording.name(), text));
    }

    private FileContent load(Block.File file) throws ModelFailure {
        String type = file.mimeType().replaceAll(";.*", "").strip().toLowerCase(Locale.ROOT);
        boolean text = type.startsWith("text/") || TEXTS.contains(type);
        Optional<Path> path = blobs.get(file.sha256());
        if (path.isEmpty()) {
            return placeholder(file, "is not there any more");
        }
        if (file.size() > (text ? MAX_TEXT : IMAGES.contains(type) ? MAX_IMAGE : MAX_TOTAL)) {
            return placeholder(file, "is too large to be shown");
        }
        try {
            return text ? text(file, type, path.get()) : bytes(file, Files.readAllBytes(path.get()));
        } catch (IOException e) {
            // Not the provider's fault, and possibly transient.
            throw new ModelFailure(ErrorCategory.LOST, "the file %s cannot be read: %s".formatted(file.sha256(), e), e);
        }
    }

    private static FileContent text(Block.File file, String type, Path path) throws IOException {
        byte[] bytes = Files.readAllBytes(path);
        String label = LABEL.matcher(file.mimeType()).replaceFirst("$1");
        Optional<String> text = TextDecoder.charset(label).isPresent()
                ? Optional.of(TextDecoder.decode(bytes, label))
                : EncodedText.of(bytes).map(EncodedText::text);
        return text.<FileContent>map(
                        read -> new FileContent.Text("[file '%s', %s]\n%s".formatted(file.name(), type, read)))
                .orElseGet(() -> placeholder(file, "is not text"));
    }

    /** The type follows from the magic bytes: providers reject images whose type does not match their content. */
    private static FileContent bytes(Block.File file, byte[] bytes) {
        String type = type(bytes);
        return switch (type) {
            case "" -> placeholder(file, "is of a kind that cannot be shown");
            case "application/pdf" ->
                new FileContent.Pdf(file.name(), Base64.getEncoder().encodeToString(bytes));
            default ->
                bytes.length > MAX_IMAGE
                        ? placeholder(file, "is too large to be shown")
                        : new FileContent.Image(type, Base64.getEncoder().encodeToString(bytes));
        };
    }

    private static String type(byte[] bytes) {
        return MAGIC.entrySet().stream()
                .filter(magic -> begins(bytes, magic.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("");
    }

    /** The type of an image that every provider accepts, by its magic bytes. */
    static Optional<String> imageType(byte[] bytes) {
        String type = type(bytes);
        return IMAGES.contains(type) && bytes.length <= MAX_IMAGE ? Optional.of(type) : Optional.empty();
    }

    private static boolean begins(byte[] bytes, String magic) {
        return new String(bytes, 0, Math.min(bytes.length, 12), StandardCharsets.ISO_8859_1).matches(magic);
    }

    private static FileContent placeholder(Block.File file, String reason) {
        return new FileContent.Text(
                "[file '%s', %s, %d bytes: %s]".formatted(file.name(), file.mimeType(), file.size(), reason));
    }
}
