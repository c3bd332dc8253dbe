package dev.parley.platform.config;

import dev.parley.platform.config.ConfigFile.ContainersSection;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Settings for containers that workflows run.
 *
 * @param program of the container engine, such as {@code docker}; it must have the command line of Docker
 * @param images patterns of allowed images; {@code *} stands for any characters
 * @param network of the containers; {@code none} for no network
 * @param memory of each container, such as {@code 512m}
 * @param cpus of each container, such as {@code 1.5}
 */
public record ContainersConfig(String program, List<String> images, String network, String memory, String cpus) {
    private static final Pattern PROGRAM = Pattern.compile("[A-Za-z0-9_./-]{1,200}");
    private static final Pattern IMAGE = Pattern.compile("[A-Za-z0-9*][A-Za-z0-9_./:@*-]{0,254}");
    private static final Pattern NETWORK = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,126}");
    private static final Pattern MEMORY = Pattern.compile("[1-9][0-9]{0,8}[bkmg]?");
    private static final Pattern CPUS = Pattern.compile("[0-9]{1,3}(?:\\.[0-9]{1,3})?");

    public ContainersConfig {
        images = List.copyOf(images);
    }

    static @Nullable ContainersConfig of(@Nullable ContainersSection section) {
        if (section == null) {
            return null;
        }
        List<@Nullable String> images = section.images() == null ? List.of() : section.images();
        if (images.isEmpty()) {
            throw new ConfigException(
                    "workflows.containers.images", "lists the images that may be run, such as [\"alpine:*\"]");
        }
        return new ContainersConfig(
                requireValid("program", section.program(), "docker", PROGRAM),
                images.stream()
                        .map(image -> requireValid("images", image, "", IMAGE))
                        .toList(),
                requireValid("network", section.network(), "none", NETWORK),
                requireValid("memory", section.memory(), "512m", MEMORY),
                requireValid("cpus", section.cpus(), "1", CPUS));
    }

    private static String requireValid(String field, @Nullable String configured, String fallback, Pattern valid) {
        String value = configured == null ? fallback : configured;
        if (!valid.matcher(value).matches()) {
            throw new ConfigException("workflows.containers." + field, "cannot be '" + value + "'");
        }
        return value;
    }

    /** Whether an image is allowed. */
    public boolean allows(String image) {
        return IMAGE.matcher(image).matches()
                && image.indexOf('*') < 0
                && images.stream().anyMatch(pattern -> matches(pattern, image));
    }

    private static boolean matches(String pattern, String image) {
        String regex = Pattern.quote(pattern).replace("*", "\\E.*\\Q");
        return image.matches(regex);
    }
}
