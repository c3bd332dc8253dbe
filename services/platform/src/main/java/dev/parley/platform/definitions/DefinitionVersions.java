package dev.parley.platform.definitions;

import dev.parley.domain.definition.Definition;
import java.lang.module.ModuleDescriptor.Version;
import java.util.Comparator;
import java.util.regex.Pattern;

/** Versions of tools and skills, such as {@code 1.10.0} and {@code 2.0.0-beta.1}, compared numerically. */
public final class DefinitionVersions {
    /** Older versions first; other texts come before versions. */
    public static final Comparator<String> OLDEST_FIRST = Comparator.comparing(DefinitionVersions::isVersion)
            .thenComparing(
                    (left, right) -> isVersion(left) ? Version.parse(left).compareTo(Version.parse(right)) : 0)
            .thenComparing(Comparator.naturalOrder());

    private static final Pattern FORM = Pattern.compile(Definition.VERSION);

    private DefinitionVersions() {}

    /** Whether a text is a version. */
    private static boolean isVersion(String text) {
        return FORM.matcher(text).matches();
    }
}
