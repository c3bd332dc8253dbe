package dev.parley.tools.checkout;

import dev.parley.tools.files.FilePath;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Opens the folders of a checkout, each relative to its open parent and without following links.
 *
 * @param allowed the folder that the operator allows, which is trusted
 * @param root the checkout below it
 */
record Folders(Path allowed, Path root) {
    private static final String GIT = ".git";

    /** Work on a name in an open folder. */
    @FunctionalInterface
    interface Use<T> {
        T in(SecureDirectoryStream<Path> folder, Path name) throws IOException;
    }

    /**
     * Opens the parent folder of a file.
     *
     * @param create whether to create missing folders
     * @throws CheckoutException when it cannot be opened or is reserved
     */
    <T> T in(FilePath file, boolean create, Use<T> use) throws IOException {
        List<String> names = names(file);
        var segments = new ArrayList<String>();
        allowed.relativize(root).forEach(name -> segments.add(name.toString()));
        int rootDepth = segments.size();
        segments.addAll(names.isEmpty() ? List.of(".") : names); // the checkout itself; the name is not used
        try (DirectoryStream<Path> first = Files.newDirectoryStream(allowed)) {
            return within(secure(first), segments, 0, create ? rootDepth : Integer.MAX_VALUE, use);
        }
    }

    /**
     * The names of a path.
     *
     * @throws CheckoutException when one is reserved
     */
    static List<String> names(FilePath path) {
        List<String> names = Arrays.stream(path.value().split("/"))
                .filter(name -> !name.isEmpty())
                .toList();
        names.stream().filter(Folders::isReserved).findFirst().ifPresent(name -> {
            throw new CheckoutException("'" + name + "' is reserved by git or Parley");
        });
        return names;
    }

    /** Whether the name is hidden from tools. */
    static boolean isReserved(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.equals(GIT) || lower.startsWith(Checkout.TEMPORARY);
    }

    private <T> T within(SecureDirectoryStream<Path> folder, List<String> names, int index, int createFrom, Use<T> use)
            throws IOException {
        Path name = Path.of(names.get(index));
        if (index == names.size() - 1) {
            return use.in(folder, name);
        }
        BasicFileAttributes attributes = attributes(folder, name);
        if (attributes == null && index >= createFrom) {
            create(folder, name);
        } else {
            requireFolder(attributes, name);
        }
        try (SecureDirectoryStream<Path> next = open(folder, name)) {
            return within(next, names, index + 1, createFrom, use);
        }
    }

    private static void requireFolder(@Nullable BasicFileAttributes attributes, Path name) {
        if (attributes == null) {
            throw new CheckoutException("there is no folder '" + name + "'; repo_list lists the files");
        }
        if (attributes.isSymbolicLink()) {
            throw new CheckoutException("'" + name + "' is a link, which is not followed");
        }
        if (!attributes.isDirectory()) {
            throw new CheckoutException("'" + name + "' is not a folder");
        }
    }

    /** Opens a subfolder. */
    static SecureDirectoryStream<Path> open(SecureDirectoryStream<Path> folder, Path name) throws IOException {
        return folder.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS);
    }

    /** Creates a subfolder: Java can only move one into an open folder, not create it there. */
    private void create(SecureDirectoryStream<Path> folder, Path name) throws IOException {
        Path created = Files.createDirectory(root.resolve(Checkout.TEMPORARY + UUID.randomUUID()));
        try (DirectoryStream<Path> top = Files.newDirectoryStream(root)) {
            secure(top).move(created.getFileName(), folder, name);
        } catch (IOException | RuntimeException e) {
            Files.deleteIfExists(created);
            throw e;
        }
    }

    /** The attributes of a name, not following links; null if it does not exist. */
    static @Nullable BasicFileAttributes attributes(SecureDirectoryStream<Path> folder, Path name) throws IOException {
        try {
            return folder.getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                    .readAttributes();
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    static void deleteQuietly(SecureDirectoryStream<Path> folder, Path name, Exception failure) {
        try {
            folder.deleteFile(name);
        } catch (NoSuchFileException e) {
            // it was not created
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    private static SecureDirectoryStream<Path> secure(DirectoryStream<Path> stream) {
        if (stream instanceof SecureDirectoryStream<Path> secure) {
            return secure;
        }
        throw new CheckoutException("checkouts need a file system that opens folders within folders, as Linux has it");
    }
}
