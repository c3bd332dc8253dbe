package dev.parley.platform.embedded;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;

/** Folders and files that only their owner can read, on POSIX file systems. */
final class PrivateFiles {
    private static final boolean POSIX =
            FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

    private PrivateFiles() {}

    /** Creates a folder and its parents with mode 0700, unless it exists. */
    static void createFolder(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder, mode("rwx------"));
        }
    }

    /** Writes a file with mode 0600 atomically, also if the machine stops. */
    static void write(Path file, String text) throws IOException {
        var draft = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(draft);
        var options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (var channel = FileChannel.open(draft, options, mode("rw-------"))) {
            channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
            channel.force(true);
        }
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Creates an empty file with mode 0600, unless it exists. */
    static void createFile(Path file) throws IOException {
        if (!Files.exists(file)) {
            Files.createFile(file, mode("rw-------"));
        }
    }

    /** The stripped text of a file, if it exists. */
    static Optional<String> read(Path file) throws IOException {
        try {
            return Optional.of(Files.readString(file).strip());
        } catch (NoSuchFileException absent) {
            return Optional.empty();
        }
    }

    /** Fills a folder. */
    interface Filling {
        void fill(Path folder) throws IOException;
    }

    /**
     * Creates and fills a folder atomically, unless it exists; safe for several processes.
     *
     * @return the folder
     */
    static Path createOnce(Path parent, String name, Filling filling) throws IOException {
        var folder = parent.resolve(name);
        if (Files.isDirectory(folder)) {
            return folder;
        }
        createFolder(parent);
        var draft = Files.createTempDirectory(parent, name + "-draft-");
        filling.fill(draft);
        // The rename is atomic; a process killed before leaves only a draft.
        try {
            Files.move(draft, folder);
        } catch (FileSystemException e) {
            if (!Files.isDirectory(folder)) {
                throw e;
            }
            deleteTree(draft); // another process created it
        }
        return folder;
    }

    /** Copies a folder with its content and permissions. */
    static void copyTree(Path from, Path to) throws IOException {
        try (var found = Files.walk(from)) {
            for (var path : found.toList()) {
                Files.copy(path, to.resolve(from.relativize(path)), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    /** Deletes a folder with its content; links are removed, not followed. */
    static void deleteTree(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (var found = Files.walk(folder)) {
            for (var path : found.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }

    private static FileAttribute<?>[] mode(String permissions) {
        return POSIX
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }
}
