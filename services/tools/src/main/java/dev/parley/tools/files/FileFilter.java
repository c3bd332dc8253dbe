package dev.parley.tools.files;

import dev.parley.tools.files.WorkspaceException.Kind;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which files of a list are wanted. Paths and types are looked for by indexes; patterns and metadata are looked at file by file, in the
 * at most {@value Workspace#MOST_FILES} of a project.
 *
 * @param glob of their paths
 * @param type their media type, or the beginning of it before a star, such as {@code image/*}; null for any
 * @param key name of what their metadata has, or null for anything
 * @param value what it is there, as JSON writes it without quotes
 */
record FileFilter(
        Glob glob,
        @Nullable String type,
        @Nullable String key,
        @Nullable String value) {
    private static final Pattern TYPE = Pattern.compile("[\\w.+-]{1,60}/(\\*|[\\w.+-]{1,60})");

    FileFilter {
        if (type != null && !TYPE.matcher(type).matches()) {
            throw new WorkspaceException(
                    Kind.INVALID, "a type is a media type such as text/markdown, or all of a kind such as image/*");
        }
    }

    /** All that the pattern matches. */
    static FileFilter of(Glob glob) {
        return new FileFilter(glob, null, null, null);
    }

    /**
     * What a request asks for.
     *
     * @param metadata {@code key=value}
     */
    static FileFilter of(@Nullable String glob, @Nullable String type, @Nullable String metadata) {
        int equals = metadata == null ? -1 : metadata.indexOf('=');
        if (metadata != null && equals < 1) {
            throw new WorkspaceException(Kind.INVALID, "'metadata' is name=value, such as status=draft");
        }
        return new FileFilter(
                new Glob(FilePath.ROOT, glob == null ? "**" : glob),
                type,
                metadata == null ? null : metadata.substring(0, equals),
                metadata == null ? null : metadata.substring(equals + 1));
    }

    /** Types from this one on; empty for all. */
    Optional<String> firstType() {
        return Optional.ofNullable(type).map(any -> any.endsWith("*") ? any.substring(0, any.length() - 1) : any);
    }

    /** The last of these types, or what is greater than all of them. */
    String lastType() {
        String first = firstType().orElse("");
        return type != null && type.endsWith("*") ? first + Character.toString(Character.MAX_CODE_POINT) : first;
    }

    boolean matches(FileInfo file) {
        return glob.matches(file.path())
                && (key == null || value == null || file.metadata().has(key, value));
    }
}
