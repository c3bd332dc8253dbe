/** Times that repeat: of workflows' schedules, and of reminders. */
@NullMarked
package dev.parley.platform.schedule;

import org.jspecify.annotations.NullMarked;
