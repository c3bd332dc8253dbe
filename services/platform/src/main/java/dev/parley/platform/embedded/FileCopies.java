package dev.parley.platform.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Copies single files that a running process may remove meanwhile. */
final class FileCopies {
    private FileCopies() {}

    /** Copies a file; one that is gone is left out. */
    static void copy(Path from, Path to) throws IOException {
        try {
            Files.copy(from, to, StandardCopyOption.COPY_ATTRIBUTES);
        } catch (NoSuchFileException e) {
            if (!from.toString().equals(e.getFile())) {
                throw e;
            }
        }
    }

    /** Makes a second name of a file whose bytes do not change; on another file system a copy. */
    static void link(Path from, Path to) throws IOException {
        try {
            Files.createLink(to, from);
        } catch (UnsupportedOperationException | FileSystemException e) {
            if (!(e instanceof NoSuchFileException)) {
                copy(from, to);
            }
        }
    }

    /** Has the file be one of its own with its first bytes, if it was a second name of one that grows. */
    static void detach(Path file, long bytes) throws IOException {
        Path own = file.resolveSibling(file.getFileName() + ".own");
        try (FileChannel from = FileChannel.open(file);
                FileChannel to = FileChannel.open(own, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            long position = 0;
            while (position < bytes) {
                long moved = from.transferTo(position, bytes - position, to);
                if (moved <= 0) {
                    throw new IOException("%s has fewer than %d bytes".formatted(file, bytes));
                }
                position += moved;
            }
        }
        Files.move(own, file, StandardCopyOption.REPLACE_EXISTING);
    }
}
