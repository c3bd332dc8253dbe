/** Events of a project, sent to addresses that it names: signed as Standard Webhooks says, and tried again for a day. */
@NullMarked
package dev.parley.channels.hooks;

import org.jspecify.annotations.NullMarked;
