package dev.parley.platform.document;

import dev.parley.domain.document.Fault;
import dev.parley.domain.document.Field;
import dev.parley.platform.config.ConfigException;
import dev.parley.platform.config.ConfigReader;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Positive durations, such as {@code 90s}. */
record Time(Duration max, String problem) implements Value {
    Time(Field rules) {
        this(Duration.ofSeconds(rules.max()), rules.problem());
    }

    @Override
    public @Nullable Object read(Object document, List<Fault> faults) {
        try {
            Duration time = ConfigReader.duration("", String.valueOf(Text.scalar(document)));
            if (time.isPositive() && time.compareTo(max) <= 0) {
                return time;
            }
        } catch (ConfigException | ArithmeticException | NumberFormatException e) {
            // reported below, as a duration that is too long
        }
        faults.add(new Fault("", problem));
        return null;
    }

    /** The shortest form. */
    @Override
    public Object write(Object value) {
        long millis = ((Duration) value).toMillis();
        if (millis % 1_000 != 0) {
            return millis + "ms";
        }
        long seconds = millis / 1_000;
        return seconds % 3_600 == 0 ? seconds / 3_600 + "h" : seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
    }

    @Override
    public Map<String, Object> schema() {
        return Map.of("type", "string");
    }
}
