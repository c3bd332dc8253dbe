package dev.parley.tools.checkout;

import dev.parley.tools.files.FilePath;
import dev.parley.tools.files.Glob;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/** Lists the files of a checkout whose paths match. Links and special files are listed, but not followed. */
final class CheckoutListing {
    private static final int MAX_LISTED = 200;
    private static final int MAX_VISITED = 50_000;
    private static final int MAX_DEPTH = 64;

    private final Glob glob;
    private final List<String> found = new ArrayList<>();
    private int visited;

    CheckoutListing(Glob glob) {
        this.glob = glob;
    }

    /** The listing for the model. */
    String of(Checkout checkout, FilePath folder) throws IOException {
        boolean isRoot = folder.value().equals("/");
        boolean walked = checkout.folders().in(folder, false, (parent, name) -> {
            if (isRoot) {
                walk(parent, "", 0);
                return true;
            }
            return walkIfFolder(parent, name, folder.value());
        });
        if (!walked) {
            throw new CheckoutException("there is no folder " + folder);
        }
        if (found.isEmpty() && !isFull()) {
            return "No file matches.";
        }
        return String.join("\n", found.subList(0, Math.min(MAX_LISTED, found.size())))
                + (isFull() ? "\n[there is more; narrow the folder or the pattern]" : "");
    }

    /** Walks a folder; returns false if there is no such folder. */
    private boolean walkIfFolder(SecureDirectoryStream<Path> parent, Path name, String path) throws IOException {
        BasicFileAttributes attributes = Folders.attributes(parent, name);
        if (attributes == null || !attributes.isDirectory()) {
            return false;
        }
        try (SecureDirectoryStream<Path> opened = Folders.open(parent, name)) {
            walk(opened, path, 0);
        }
        return true;
    }

    private boolean isFull() {
        return found.size() > MAX_LISTED || visited >= MAX_VISITED;
    }

    private void walk(SecureDirectoryStream<Path> folder, String prefix, int depth) throws IOException {
        for (Path name : names(folder)) {
            if (isFull()) {
                return;
            }
            visited++;
            String path = prefix + "/" + name;
            BasicFileAttributes attributes = Folders.attributes(folder, name);
            if (attributes != null && attributes.isDirectory()) {
                if (depth < MAX_DEPTH) {
                    enter(folder, name, path, depth);
                }
            } else if (attributes != null && glob.matches(path)) {
                found.add(printable(path) + note(attributes));
            }
        }
    }

    private void enter(SecureDirectoryStream<Path> folder, Path name, String path, int depth) throws IOException {
        try (SecureDirectoryStream<Path> next = Folders.open(folder, name)) {
            walk(next, path, depth + 1);
        } catch (AccessDeniedException | NoSuchFileException e) {
            found.add(printable(path) + "/ (cannot be read)");
        }
    }

    private List<Path> names(SecureDirectoryStream<Path> folder) {
        var names = new ArrayList<Path>();
        for (Path entry : folder) {
            Path name = entry.getFileName();
            if (!Folders.isReserved(name.toString()) && names.size() < MAX_VISITED) {
                names.add(name);
            }
        }
        names.sort(null);
        return names;
    }

    /** The path without control characters, which names may contain. */
    private static String printable(String path) {
        return path.replaceAll("\\p{Cntrl}", "?");
    }

    private static String note(BasicFileAttributes attributes) {
        if (attributes.isRegularFile()) {
            return " (" + attributes.size() + ")";
        }
        return attributes.isSymbolicLink() ? " (a link, not followed)" : " (no file with content)";
    }
}
