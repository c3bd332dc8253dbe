package dev.parley.platform.config;

import com.fasterxml.jackson.annotation.JsonCreator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The parts of {@code parley.yml} that give powers, each in its form with names and in the older one without. */
final class PowerSections {
    private PowerSections() {}

    /** A power that is on for those that it names; {@code true} alone names nobody. */
    record SwitchSection(
            @Nullable Boolean on,
            @Nullable List<@Nullable String> hosts,
            @Nullable List<@Nullable String> projects) {
        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        static SwitchSection of(boolean on) {
            return new SwitchSection(on, null, null);
        }
    }

    /** A secret of tools; a list alone has the hosts that it may be sent to. */
    record SecretSection(
            @Nullable List<String> to,
            @Nullable List<@Nullable String> hosts,
            @Nullable List<@Nullable String> projects) {
        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        static SecretSection of(List<String> to) {
            return new SecretSection(to, null, null);
        }
    }

    /** A private host, or its name alone. */
    record PrivateHostSection(
            @Nullable String host,
            @Nullable List<@Nullable String> hosts,
            @Nullable List<@Nullable String> projects) {
        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        static PrivateHostSection of(String host) {
            return new PrivateHostSection(host, null, null);
        }
    }

    /** A folder of checkouts, or its path alone. */
    record CheckoutSection(
            @Nullable String folder, @Nullable List<@Nullable String> projects) {
        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        static CheckoutSection of(String folder) {
            return new CheckoutSection(folder, null);
        }
    }
}
