package dev.parley.tools.files;

import dev.parley.tools.files.WorkspaceException.Kind;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The filter of a file list. Prefixes and types use indexes; patterns and metadata are checked file by file, over at
 * most {@value Workspace#MAX_FILES} files of a project.
 *
 * @param glob pattern of paths
 * @param type media type, or a prefix followed by a star, such as {@code image/*}; null for any
 * @param key name in the metadata, or null for any metadata
 * @param value value of that name, as in JSON but without quotes
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
                    Kind.INVALID, "'type' must be a media type such as text/markdown, or a range such as image/*");
        }
    }

    /** A filter by a pattern only. */
    static FileFilter of(Glob glob) {
        return new FileFilter(glob, null, null, null);
    }

    /**
     * The filter of a request.
     *
     * @param metadata {@code key=value}
     */
    static FileFilter of(@Nullable String glob, @Nullable String type, @Nullable String metadata) {
        int equals = metadata == null ? -1 : metadata.indexOf('=');
        if (metadata != null && equals < 1) {
            throw new WorkspaceException(
                    Kind.INVALID, "'metadata' must have the form name=value, such as status=draft");
        }
        return new FileFilter(
                new Glob(FilePath.ROOT, glob == null ? "**" : glob),
                type,
                metadata == null ? null : metadata.substring(0, equals),
                metadata == null ? null : metadata.substring(equals + 1));
    }

    /** The lowest matching type; empty for all types. */
    Optional<String> firstType() {
        return Optional.ofNullable(type)
                .map(pattern -> pattern.endsWith("*") ? pattern.substring(0, pattern.length() - 1) : pattern);
    }

    /** The highest matching type, or an upper bound. */
    String lastType() {
        String first = firstType().orElse("");
        return type != null && type.endsWith("*") ? first + Character.toString(Character.MAX_CODE_POINT) : first;
    }

    boolean matches(FileInfo file) {
        return glob.matches(file.path())
                && (key == null || value == null || file.metadata().has(key, value));
    }
}
