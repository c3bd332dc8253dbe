package dev.parley.platform.blob;

import dev.parley.domain.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Content-addressed files in a folder, by their SHA-256. A blob is complete and immutable: it is written to a temporary
 * file, forced to the disk and renamed. Equal content is stored once.
 */
public final class BlobStore {
    /** Maximum size of a file of a conversation in bytes, the same as for downloads from Telegram. */
    public static final int MOST = 20 << 20;

    private static final Pattern ADDRESS = Pattern.compile("[0-9a-f]{64}");
    private static final int BUFFER = 1 << 16;
    private static final int SWEEP_BATCH = 1_000;

    private final Path folder;
    private final long maxBytes;

    /**
     * @param folder created if it is missing
     * @param maxBytes maximum size of a blob
     */
    public BlobStore(Path folder, long maxBytes) {
        this.folder = folder.toAbsolutePath();
        this.maxBytes = maxBytes;
    }

    /** Another store in a subfolder of this one; each is swept separately. */
    public BlobStore within(String name) {
        return new BlobStore(folder.resolve(name), maxBytes);
    }

    /** A stored blob. */
    public record Blob(String sha256, long size) {}

    /** The content exceeds the maximum size of a blob. */
    public static final class TooLargeException extends IOException {
        private static final long serialVersionUID = 1;

        TooLargeException(long maxBytes) {
            super("a file has at most " + maxBytes + " bytes");
        }
    }

    /**
     * Stores content.
     *
     * @throws TooLargeException if it exceeds the maximum size; nothing is stored
     */
    public Blob put(InputStream bytes) throws IOException {
        Path incoming = Files.createDirectories(folder.resolve("incoming"));
        Path part = Files.createTempFile(incoming, "", ".part");
        try {
            MessageDigest digest = Sha256.digest();
            long size = copy(bytes, part, digest);
            String address = HexFormat.of().formatHex(digest.digest());
            Path file = file(address);
            Files.createDirectories(file.getParent());
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            return new Blob(address, size);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private long copy(InputStream bytes, Path part, MessageDigest digest) throws IOException {
        long size = 0;
        byte[] buffer = new byte[BUFFER];
        try (OutputStream out = new DigestOutputStream(Files.newOutputStream(part), digest)) {
            for (int n = bytes.read(buffer); n >= 0; n = bytes.read(buffer)) {
                size += n;
                if (size > maxBytes) {
                    throw new TooLargeException(maxBytes);
                }
                out.write(buffer, 0, n);
            }
        }
        try (var channel = FileChannel.open(part, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        return size;
    }

    /** The file of a blob; empty if there is none, or the address is invalid. */
    public Optional<Path> get(String sha256) {
        if (!ADDRESS.matcher(sha256).matches()) {
            return Optional.empty();
        }
        return Optional.of(file(sha256)).filter(Files::isRegularFile);
    }

    /**
     * Removes a blob, unless it was stored recently, since a message that names it may be in flight.
     *
     * @param age minimum time since it was last stored
     * @return whether it no longer exists
     */
    public boolean remove(String sha256, Duration age) throws IOException {
        if (!ADDRESS.matcher(sha256).matches()) {
            return true;
        }
        Path removed = Files.createDirectories(folder.resolve("incoming")).resolve(sha256 + ".removed");
        try {
            if (isRecent(file(sha256), age)) {
                return false;
            }
            Files.move(file(sha256), removed, StandardCopyOption.ATOMIC_MOVE);
            if (isRecent(removed, age)) { // it has been stored again
                Files.move(removed, file(sha256), StandardCopyOption.ATOMIC_MOVE);
                return false;
            }
            Files.delete(removed);
        } catch (NoSuchFileException e) {
            Files.deleteIfExists(removed); // removed before; a killed process may have left this file
        }
        return true;
    }

    /**
     * Removes old blobs that nothing references, and incomplete files of killed processes.
     *
     * @param age minimum time since they were last stored
     * @param references selects the referenced ones of some addresses; empty while that is unknown
     * @return number of removed blobs
     */
    public long sweep(Duration age, Function<List<String>, Optional<Set<String>>> references) throws IOException {
        long removed = 0;
        var batch = new ArrayList<String>(SWEEP_BATCH);
        for (Path old : old(age)) {
            String name = old.getFileName().toString();
            if (!ADDRESS.matcher(name).matches()) {
                Files.deleteIfExists(old);
                continue;
            }
            batch.add(name);
            if (batch.size() == SWEEP_BATCH) {
                removed += removeUnnamed(batch, age, references);
                batch.clear();
            }
        }
        return removed + removeUnnamed(batch, age, references);
    }

    private List<Path> old(Duration age) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        var limit = FileTime.from(Instant.now().minus(age));
        try (Stream<Path> found = Files.find(
                folder,
                2,
                (_, attributes) -> attributes.isRegularFile()
                        && attributes.lastModifiedTime().compareTo(limit) < 0)) {
            return found.toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private long removeUnnamed(
            List<String> addresses, Duration age, Function<List<String>, Optional<Set<String>>> references)
            throws IOException {
        Optional<Set<String>> referenced = addresses.isEmpty() ? Optional.empty() : references.apply(addresses);
        long removed = 0;
        for (String address : addresses) {
            if (referenced.isPresent() && !referenced.get().contains(address) && remove(address, age)) {
                removed++;
            }
        }
        return removed;
    }

    private static boolean isRecent(Path file, Duration age) throws IOException {
        return Files.getLastModifiedTime(file).toInstant().isAfter(Instant.now().minus(age));
    }

    private Path file(String sha256) {
        return folder.resolve(sha256.substring(0, 2)).resolve(sha256);
    }
}
