package dev.parley.platform.config;

import dev.parley.platform.config.ConfigFile.ToolsSection;
import dev.parley.platform.config.PowerSections.CheckoutSection;
import dev.parley.platform.config.PowerSections.SecretSection;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the settings of defined tools. */
final class ToolsReader {
    private static final Pattern HOST = Pattern.compile("[a-z0-9._-]{1,253}|[0-9a-f:.]{2,45}");

    private ToolsReader() {}

    /**
     * @param plugins folder of plug-ins, or null
     * @param python folder of the Python interpreter, or null
     */
    static ToolsConfig tools(@Nullable ToolsSection section, @Nullable String plugins, @Nullable String python) {
        ToolsSection settings = section == null ? ToolsSection.EMPTY : section;
        List<Path> checkouts = checkouts(settings.checkouts());
        if (PowersReader.isOn(settings.shell()) && checkouts.isEmpty()) {
            throw new ConfigException("tools.shell", "runs commands in checkouts only: name tools.checkouts as well");
        }
        return new ToolsConfig(
                folder(plugins(plugins, settings.plugins())), folder(python), secrets(settings.secrets()), checkouts);
    }

    /** {@code tools.plugins} is the former name of {@code plugins}. */
    private static @Nullable String plugins(@Nullable String folder, @Nullable String older) {
        if (folder != null && older != null) {
            throw new ConfigException("tools.plugins", "is the older name of 'plugins': write that one alone");
        }
        return folder == null ? older : folder;
    }

    /** Does not check that folders exist: they may be mounted later. */
    private static List<Path> checkouts(@Nullable List<@Nullable CheckoutSection> sections) {
        var folders = new ArrayList<Path>();
        for (@Nullable CheckoutSection section : sections == null ? List.<@Nullable CheckoutSection>of() : sections) {
            folders.add(checkout(section));
        }
        return folders;
    }

    /** The folder of a section. */
    static Path checkout(@Nullable CheckoutSection section) {
        String text = section == null ? null : section.folder();
        Path path = text == null ? null : path(text);
        if (path == null || !path.isAbsolute() || path.normalize().getNameCount() == 0) {
            throw new ConfigException(
                    "tools.checkouts", "has absolute folders, such as /srv/checkouts, not '" + text + "'");
        }
        return path.normalize();
    }

    private static @Nullable Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            return null;
        }
    }

    private static @Nullable Path folder(@Nullable String path) {
        return path == null ? null : Path.of(path).toAbsolutePath().normalize();
    }

    private static Map<String, Set<String>> secrets(@Nullable Map<String, @Nullable SecretSection> sections) {
        var secrets = new HashMap<String, Set<String>>();
        (sections == null ? Map.<String, @Nullable SecretSection>of() : sections).forEach((reference, section) -> {
            String path = "tools.secrets." + reference;
            Set<String> read = hosts(path, section == null ? null : section.to());
            if (read.isEmpty()) {
                throw new ConfigException(path, "is a list of the hosts that it may be sent to");
            }
            secrets.put(
                    ProviderReader.reference("tools.secrets", reference),
                    read); // the error must not contain the reference, which may be a literal key
        });
        return secrets;
    }

    private static Set<String> hosts(String path, @Nullable List<String> names) {
        var hosts = new HashSet<String>();
        for (@Nullable String name : names == null ? List.<String>of() : names) {
            hosts.add(host(path, name));
        }
        return hosts;
    }

    /** The name of a host in lower case. */
    static String host(String path, @Nullable String host) {
        String name = String.valueOf(host).toLowerCase(Locale.ROOT);
        if (!HOST.matcher(name).matches()) {
            throw new ConfigException(path, "has names of hosts, such as api.example.com, not '" + host + "'");
        }
        return name;
    }
}
