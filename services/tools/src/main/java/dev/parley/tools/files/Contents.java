package dev.parley.tools.files;

import com.github.difflib.patch.PatchFailedException;
import dev.parley.platform.blob.BlobStore;
import dev.parley.tools.files.VersionRows.Link;
import dev.parley.tools.files.WorkspaceException.Kind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Stores the content of file versions. The first version of a text is stored in full, later ones as patches, with a
 * full one at least every {@value #CHECKPOINT} versions; other content, also text in another charset than UTF-8, is
 * stored in the blob store. Content is verified by its SHA-256 when it is read.
 */
record Contents(UUID host, UUID project, VersionRows rows, BlobStore blobs) {
    /** Maximum length of a chain of patches, which bounds reading. Measured in docs/performance.md. */
    static final int CHECKPOINT = 50;

    /** Larger texts, by bytes or lines, are stored in full in the blob store. */
    static final int MAX_TEXT = 8 << 20;

    private static final int MAX_LINES = 200_000;

    /**
     * The stored form of a version.
     *
     * @param kind {@code full}, {@code patch}, {@code blob} or {@code deleted}
     * @param base the version at the start of the patch chain
     * @param content the text or the patch, or null
     */
    record Stored(String kind, int base, @Nullable String content) {
        static Stored deleted(int version) {
            return new Stored("deleted", version, null);
        }
    }

    /** Stores the first version of a file. */
    Stored store(FileData content) {
        return store(content, List.of(), 1);
    }

    /** Stores the version of this number; the previous one exists. */
    Stored store(FileData content, UUID file, int version) {
        return store(content, rows.chain(host, project, file, version - 1), version);
    }

    private Stored store(FileData content, List<Link> chain, int version) {
        String text = content.utf8();
        if (text == null
                || content.size() > MAX_TEXT
                || text.lines().limit(MAX_LINES + 1L).count() > MAX_LINES) {
            storeBlob(content);
            return new Stored("blob", version, null);
        }
        if (chain.isEmpty() || chain.size() >= CHECKPOINT || !chain.getLast().hasContent()) {
            return new Stored("full", version, text);
        }
        return patch(chain, text)
                .map(patch -> new Stored("patch", chain.getFirst().version(), patch))
                .orElseGet(() -> new Stored("full", version, text));
    }

    /**
     * The patch from the previous version; empty if the patches would exceed the text, or the previous version is
     * damaged.
     */
    private static Optional<String> patch(List<Link> chain, String text) {
        try {
            String before = applyPatches(chain);
            String patch = TextPatch.between(before, text);
            int length =
                    patch.length() + patches(chain).mapToInt(String::length).sum();
            boolean isExact = TextPatch.apply(before, List.of(patch)).equals(text);
            return Optional.of(patch).filter(_ -> isExact && length < text.length());
        } catch (PatchFailedException e) {
            return Optional.empty();
        }
    }

    private static Stream<String> patches(List<Link> chain) {
        return chain.stream().skip(1).map(Link::inline);
    }

    private static String applyPatches(List<Link> chain) throws PatchFailedException {
        return TextPatch.apply(chain.getFirst().inline(), patches(chain).toList());
    }

    private void storeBlob(FileData content) {
        try {
            blobs.put(new ByteArrayInputStream(content.bytes()));
        } catch (IOException e) {
            throw new UncheckedIOException("the file could not be stored", e);
        }
    }

    /**
     * The content of a version of a file.
     *
     * @throws WorkspaceException when there is no such version, or it is damaged
     */
    FileData read(UUID file, int version) {
        List<Link> chain = rows.chain(host, project, file, version);
        if (chain.isEmpty()) {
            throw new WorkspaceException(Kind.UNKNOWN, "the file has no version " + version);
        }
        Link last = chain.getLast();
        if (last.sha256() == null) {
            throw new WorkspaceException(Kind.UNKNOWN, "version " + version + " is the deletion of the file");
        }
        FileData content = last.hasContent() ? FileData.of(text(chain)) : blob(last.sha256());
        if (!content.sha256().equals(last.sha256())) {
            throw damaged("version " + version);
        }
        return content;
    }

    private static String text(List<Link> chain) {
        try {
            return applyPatches(chain);
        } catch (PatchFailedException e) {
            throw damaged("version " + chain.getLast().version(), e);
        }
    }

    private FileData blob(String sha256) {
        Path file = blobs.get(sha256).orElseThrow(() -> damaged("a file in the blob folder"));
        try {
            return FileData.of(Files.readAllBytes(file));
        } catch (IOException e) {
            throw new UncheckedIOException("the file could not be read", e);
        }
    }

    private static WorkspaceException damaged(String subject) {
        return damaged(subject, null);
    }

    private static WorkspaceException damaged(String subject, @Nullable Throwable cause) {
        return new WorkspaceException(
                Kind.DAMAGED, subject + " is missing or damaged: restore it from a backup", cause);
    }
}
