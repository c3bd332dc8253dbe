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
 * Bytes in a folder, addressed by their SHA-256. What is there is whole and never changes: a blob is written beside its
 * place, forced to the disk and then renamed. The same bytes are kept once.
 */
public final class BlobStore {
    /** How large a file of a conversation may be: as large as those that Telegram gives away. */
    public static final int MOST = 20 << 20;

    private static final Pattern ADDRESS = Pattern.compile("[0-9a-f]{64}");
    private static final int BUFFER = 1 << 16;
    private static final int SWEPT_AT_ONCE = 1_000;

    private final Path folder;
    private final long maxBytes;

    /**
     * @param folder made where it is missing
     * @param maxBytes of one blob
     */
    public BlobStore(Path folder, long maxBytes) {
        this.folder = folder.toAbsolutePath();
        this.maxBytes = maxBytes;
    }

    /** Another store, in a folder of this one: what is swept here is not swept there, and the other way round. */
    public BlobStore within(String name) {
        return new BlobStore(folder.resolve(name), maxBytes);
    }

    /** A blob that is kept. */
    public record Blob(String sha256, long size) {}

    /** More bytes than a blob may have. */
    public static final class TooLargeException extends IOException {
        private static final long serialVersionUID = 1;

        TooLargeException(long maxBytes) {
            super("a file has at most " + maxBytes + " bytes");
        }
    }

    /**
     * Keeps these bytes.
     *
     * @throws TooLargeException when there are more than a blob may have; nothing is kept
     */
    public Blob put(InputStream bytes) throws IOException {
        Path incoming = Files.createDirectories(folder.resolve("incoming"));
        Path part = Files.createTempFile(incoming, "", ".part");
        try {
            MessageDigest digest = Sha256.digest();
            long size = copy(bytes, part, digest);
            String address = HexFormat.of().formatHex(digest.digest());
            Path place = place(address);
            Files.createDirectories(place.getParent());
            Files.move(part, place, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
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

    /** The file of a blob; empty when there is none, or when this is no address. */
    public Optional<Path> get(String sha256) {
        if (!ADDRESS.matcher(sha256).matches()) {
            return Optional.empty();
        }
        return Optional.of(place(sha256)).filter(Files::isRegularFile);
    }

    /**
     * Removes a blob, unless it was put here lately: somebody may be about to name it.
     *
     * @param age since it was last put here, at least
     * @return whether it is not here any more
     */
    public boolean remove(String sha256, Duration age) throws IOException {
        if (!ADDRESS.matcher(sha256).matches()) {
            return true;
        }
        Path removed = Files.createDirectories(folder.resolve("incoming")).resolve(sha256 + ".removed");
        try {
            if (isYoung(place(sha256), age)) {
                return false;
            }
            Files.move(place(sha256), removed, StandardCopyOption.ATOMIC_MOVE);
            if (isYoung(removed, age)) { // it was put here again in this moment
                Files.move(removed, place(sha256), StandardCopyOption.ATOMIC_MOVE);
                return false;
            }
            Files.delete(removed);
        } catch (NoSuchFileException e) {
            Files.deleteIfExists(removed); // it is gone, but perhaps a process died on the way
        }
        return true;
    }

    /**
     * Removes blobs that were put here long ago and that nobody names, and what writers that died left half-written.
     *
     * @param age since they were last put here, at least
     * @param named those of some addresses that somebody names; empty while that is not known
     * @return how many blobs were removed
     */
    public long sweep(Duration age, Function<List<String>, Optional<Set<String>>> named) throws IOException {
        long removed = 0;
        var asked = new ArrayList<String>(SWEPT_AT_ONCE);
        for (Path old : old(age)) {
            String name = old.getFileName().toString();
            if (!ADDRESS.matcher(name).matches()) {
                Files.deleteIfExists(old);
                continue;
            }
            asked.add(name);
            if (asked.size() == SWEPT_AT_ONCE) {
                removed += removeUnnamed(asked, age, named);
                asked.clear();
            }
        }
        return removed + removeUnnamed(asked, age, named);
    }

    private List<Path> old(Duration age) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        var limit = FileTime.from(Instant.now().minus(age));
        try (Stream<Path> found = Files.find(
                folder,
                2,
                (file, is) -> is.isRegularFile() && is.lastModifiedTime().compareTo(limit) < 0)) {
            return found.toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private long removeUnnamed(
            List<String> addresses, Duration age, Function<List<String>, Optional<Set<String>>> named)
            throws IOException {
        Optional<Set<String>> kept = addresses.isEmpty() ? Optional.empty() : named.apply(addresses);
        long removed = 0;
        for (String address : addresses) {
            if (kept.isPresent() && !kept.get().contains(address) && remove(address, age)) {
                removed++;
            }
        }
        return removed;
    }

    private static boolean isYoung(Path file, Duration age) throws IOException {
        return Files.getLastModifiedTime(file).toInstant().isAfter(Instant.now().minus(age));
    }

    private Path place(String sha256) {
        return folder.resolve(sha256.substring(0, 2)).resolve(sha256);
    }
}
