#include "CWebAssets.h"

// `#embed` is C23; clang has it in every mode and says so. A file that changes is noticed by the build: the compiler
// lists it among this file’s dependencies. Scripts/web-assets writes the entries; a test compares them with the folder.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char icon_svg[] = {
#embed "../../Web/icon.svg"
};
static const unsigned char index_html[] = {
#embed "../../Web/index.html"
};
static const unsigned char scripts_asks_about_js[] = {
#embed "../../Web/scripts/asks/about.js"
};
static const unsigned char scripts_asks_ask_button_js[] = {
#embed "../../Web/scripts/asks/ask-button.js"
};
static const unsigned char scripts_asks_section_js[] = {
#embed "../../Web/scripts/asks/section.js"
};
static const unsigned char scripts_asks_words_js[] = {
#embed "../../Web/scripts/asks/words.js"
};
static const unsigned char scripts_base_api_js[] = {
#embed "../../Web/scripts/base/api.js"
};
static const unsigned char scripts_base_author_js[] = {
#embed "../../Web/scripts/base/author.js"
};
static const unsigned char scripts_base_colours_js[] = {
#embed "../../Web/scripts/base/colours.js"
};
static const unsigned char scripts_base_dom_js[] = {
#embed "../../Web/scripts/base/dom.js"
};
static const unsigned char scripts_base_download_js[] = {
#embed "../../Web/scripts/base/download.js"
};
static const unsigned char scripts_base_format_js[] = {
#embed "../../Web/scripts/base/format.js"
};
static const unsigned char scripts_base_icons_js[] = {
#embed "../../Web/scripts/base/icons.js"
};
static const unsigned char scripts_base_place_js[] = {
#embed "../../Web/scripts/base/place.js"
};
static const unsigned char scripts_base_route_js[] = {
#embed "../../Web/scripts/base/route.js"
};
static const unsigned char scripts_base_same_js[] = {
#embed "../../Web/scripts/base/same.js"
};
static const unsigned char scripts_base_send_js[] = {
#embed "../../Web/scripts/base/send.js"
};
static const unsigned char scripts_base_tail_js[] = {
#embed "../../Web/scripts/base/tail.js"
};
static const unsigned char scripts_base_whole_words_js[] = {
#embed "../../Web/scripts/base/whole-words.js"
};
static const unsigned char scripts_detail_context_js[] = {
#embed "../../Web/scripts/detail/context.js"
};
static const unsigned char scripts_detail_fields_js[] = {
#embed "../../Web/scripts/detail/fields.js"
};
static const unsigned char scripts_detail_json_js[] = {
#embed "../../Web/scripts/detail/json.js"
};
static const unsigned char scripts_detail_panel_js[] = {
#embed "../../Web/scripts/detail/panel.js"
};
static const unsigned char scripts_detail_tabs_js[] = {
#embed "../../Web/scripts/detail/tabs.js"
};
static const unsigned char scripts_events_describe_js[] = {
#embed "../../Web/scripts/events/describe.js"
};
static const unsigned char scripts_events_details_js[] = {
#embed "../../Web/scripts/events/details.js"
};
static const unsigned char scripts_events_lifecycle_js[] = {
#embed "../../Web/scripts/events/lifecycle.js"
};
static const unsigned char scripts_events_measured_js[] = {
#embed "../../Web/scripts/events/measured.js"
};
static const unsigned char scripts_events_outline_js[] = {
#embed "../../Web/scripts/events/outline.js"
};
static const unsigned char scripts_events_packed_outline_js[] = {
#embed "../../Web/scripts/events/packed-outline.js"
};
static const unsigned char scripts_events_touched_js[] = {
#embed "../../Web/scripts/events/touched.js"
};
static const unsigned char scripts_events_types_js[] = {
#embed "../../Web/scripts/events/types.js"
};
static const unsigned char scripts_exchange_address_js[] = {
#embed "../../Web/scripts/exchange/address.js"
};
static const unsigned char scripts_exchange_body_js[] = {
#embed "../../Web/scripts/exchange/body.js"
};
static const unsigned char scripts_exchange_exchange_js[] = {
#embed "../../Web/scripts/exchange/exchange.js"
};
static const unsigned char scripts_exchange_finder_js[] = {
#embed "../../Web/scripts/exchange/finder.js"
};
static const unsigned char scripts_exchange_frames_js[] = {
#embed "../../Web/scripts/exchange/frames.js"
};
static const unsigned char scripts_exchange_pretty_js[] = {
#embed "../../Web/scripts/exchange/pretty.js"
};
static const unsigned char scripts_exchange_resend_js[] = {
#embed "../../Web/scripts/exchange/resend.js"
};
static const unsigned char scripts_exchange_timing_js[] = {
#embed "../../Web/scripts/exchange/timing.js"
};
static const unsigned char scripts_health_chart_js[] = {
#embed "../../Web/scripts/health/chart.js"
};
static const unsigned char scripts_health_compare_js[] = {
#embed "../../Web/scripts/health/compare.js"
};
static const unsigned char scripts_health_ends_js[] = {
#embed "../../Web/scripts/health/ends.js"
};
static const unsigned char scripts_health_health_view_js[] = {
#embed "../../Web/scripts/health/health-view.js"
};
static const unsigned char scripts_health_parts_js[] = {
#embed "../../Web/scripts/health/parts.js"
};
static const unsigned char scripts_health_place_js[] = {
#embed "../../Web/scripts/health/place.js"
};
static const unsigned char scripts_health_recorder_js[] = {
#embed "../../Web/scripts/health/recorder.js"
};
static const unsigned char scripts_health_requests_js[] = {
#embed "../../Web/scripts/health/requests.js"
};
static const unsigned char scripts_health_savings_js[] = {
#embed "../../Web/scripts/health/savings.js"
};
static const unsigned char scripts_health_speed_js[] = {
#embed "../../Web/scripts/health/speed.js"
};
static const unsigned char scripts_issues_affected_js[] = {
#embed "../../Web/scripts/issues/affected.js"
};
static const unsigned char scripts_issues_history_js[] = {
#embed "../../Web/scripts/issues/history.js"
};
static const unsigned char scripts_issues_issue_view_js[] = {
#embed "../../Web/scripts/issues/issue-view.js"
};
static const unsigned char scripts_issues_issues_view_js[] = {
#embed "../../Web/scripts/issues/issues-view.js"
};
static const unsigned char scripts_issues_kinds_js[] = {
#embed "../../Web/scripts/issues/kinds.js"
};
static const unsigned char scripts_issues_merging_js[] = {
#embed "../../Web/scripts/issues/merging.js"
};
static const unsigned char scripts_issues_owners_js[] = {
#embed "../../Web/scripts/issues/owners.js"
};
static const unsigned char scripts_issues_place_js[] = {
#embed "../../Web/scripts/issues/place.js"
};
static const unsigned char scripts_issues_sparkline_js[] = {
#embed "../../Web/scripts/issues/sparkline.js"
};
static const unsigned char scripts_issues_status_js[] = {
#embed "../../Web/scripts/issues/status.js"
};
static const unsigned char scripts_list_source_js[] = {
#embed "../../Web/scripts/list/source.js"
};
static const unsigned char scripts_list_virtual_list_js[] = {
#embed "../../Web/scripts/list/virtual-list.js"
};
static const unsigned char scripts_main_js[] = {
#embed "../../Web/scripts/main.js"
};
static const unsigned char scripts_network_bar_js[] = {
#embed "../../Web/scripts/network/bar.js"
};
static const unsigned char scripts_network_columns_js[] = {
#embed "../../Web/scripts/network/columns.js"
};
static const unsigned char scripts_network_compare_js[] = {
#embed "../../Web/scripts/network/compare.js"
};
static const unsigned char scripts_network_diff_js[] = {
#embed "../../Web/scripts/network/diff.js"
};
static const unsigned char scripts_network_endpoints_js[] = {
#embed "../../Web/scripts/network/endpoints.js"
};
static const unsigned char scripts_network_filters_js[] = {
#embed "../../Web/scripts/network/filters.js"
};
static const unsigned char scripts_network_network_view_js[] = {
#embed "../../Web/scripts/network/network-view.js"
};
static const unsigned char scripts_network_notices_js[] = {
#embed "../../Web/scripts/network/notices.js"
};
static const unsigned char scripts_network_place_js[] = {
#embed "../../Web/scripts/network/place.js"
};
static const unsigned char scripts_network_request_pages_js[] = {
#embed "../../Web/scripts/network/request-pages.js"
};
static const unsigned char scripts_network_rows_js[] = {
#embed "../../Web/scripts/network/rows.js"
};
static const unsigned char scripts_network_scale_js[] = {
#embed "../../Web/scripts/network/scale.js"
};
static const unsigned char scripts_network_summary_js[] = {
#embed "../../Web/scripts/network/summary.js"
};
static const unsigned char scripts_pages_js[] = {
#embed "../../Web/scripts/pages.js"
};
static const unsigned char scripts_replay_clock_js[] = {
#embed "../../Web/scripts/replay/clock.js"
};
static const unsigned char scripts_replay_decode_js[] = {
#embed "../../Web/scripts/replay/decode.js"
};
static const unsigned char scripts_replay_faults_js[] = {
#embed "../../Web/scripts/replay/faults.js"
};
static const unsigned char scripts_replay_frame_records_js[] = {
#embed "../../Web/scripts/replay/frame-records.js"
};
static const unsigned char scripts_replay_image_size_js[] = {
#embed "../../Web/scripts/replay/image-size.js"
};
static const unsigned char scripts_replay_live_js[] = {
#embed "../../Web/scripts/replay/live.js"
};
static const unsigned char scripts_replay_picture_js[] = {
#embed "../../Web/scripts/replay/picture.js"
};
static const unsigned char scripts_replay_pieces_js[] = {
#embed "../../Web/scripts/replay/pieces.js"
};
static const unsigned char scripts_replay_player_js[] = {
#embed "../../Web/scripts/replay/player.js"
};
static const unsigned char scripts_replay_preview_js[] = {
#embed "../../Web/scripts/replay/preview.js"
};
static const unsigned char scripts_replay_recording_js[] = {
#embed "../../Web/scripts/replay/recording.js"
};
static const unsigned char scripts_replay_scrubber_js[] = {
#embed "../../Web/scripts/replay/scrubber.js"
};
static const unsigned char scripts_replay_touches_js[] = {
#embed "../../Web/scripts/replay/touches.js"
};
static const unsigned char scripts_replay_wireframe_js[] = {
#embed "../../Web/scripts/replay/wireframe.js"
};
static const unsigned char scripts_report_before_js[] = {
#embed "../../Web/scripts/report/before.js"
};
static const unsigned char scripts_report_images_js[] = {
#embed "../../Web/scripts/report/images.js"
};
static const unsigned char scripts_report_in_panel_js[] = {
#embed "../../Web/scripts/report/in-panel.js"
};
static const unsigned char scripts_report_report_js[] = {
#embed "../../Web/scripts/report/report.js"
};
static const unsigned char scripts_report_source_js[] = {
#embed "../../Web/scripts/report/source.js"
};
static const unsigned char scripts_report_stack_js[] = {
#embed "../../Web/scripts/report/stack.js"
};
static const unsigned char scripts_report_weights_js[] = {
#embed "../../Web/scripts/report/weights.js"
};
static const unsigned char scripts_search_complete_js[] = {
#embed "../../Web/scripts/search/complete.js"
};
static const unsigned char scripts_search_marks_js[] = {
#embed "../../Web/scripts/search/marks.js"
};
static const unsigned char scripts_search_query_field_js[] = {
#embed "../../Web/scripts/search/query-field.js"
};
static const unsigned char scripts_sessions_ended_js[] = {
#embed "../../Web/scripts/sessions/ended.js"
};
static const unsigned char scripts_sessions_facets_js[] = {
#embed "../../Web/scripts/sessions/facets.js"
};
static const unsigned char scripts_sessions_find_js[] = {
#embed "../../Web/scripts/sessions/find.js"
};
static const unsigned char scripts_sessions_first_steps_js[] = {
#embed "../../Web/scripts/sessions/first-steps.js"
};
static const unsigned char scripts_sessions_imported_js[] = {
#embed "../../Web/scripts/sessions/imported.js"
};
static const unsigned char scripts_sessions_name_js[] = {
#embed "../../Web/scripts/sessions/name.js"
};
static const unsigned char scripts_sessions_neighbours_js[] = {
#embed "../../Web/scripts/sessions/neighbours.js"
};
static const unsigned char scripts_sessions_on_device_js[] = {
#embed "../../Web/scripts/sessions/on-device.js"
};
static const unsigned char scripts_sessions_open_file_js[] = {
#embed "../../Web/scripts/sessions/open-file.js"
};
static const unsigned char scripts_sessions_place_js[] = {
#embed "../../Web/scripts/sessions/place.js"
};
static const unsigned char scripts_sessions_rows_js[] = {
#embed "../../Web/scripts/sessions/rows.js"
};
static const unsigned char scripts_sessions_saved_menu_js[] = {
#embed "../../Web/scripts/sessions/saved-menu.js"
};
static const unsigned char scripts_sessions_saved_js[] = {
#embed "../../Web/scripts/sessions/saved.js"
};
static const unsigned char scripts_sessions_search_js[] = {
#embed "../../Web/scripts/sessions/search.js"
};
static const unsigned char scripts_sessions_sessions_view_js[] = {
#embed "../../Web/scripts/sessions/sessions-view.js"
};
static const unsigned char scripts_settings_access_js[] = {
#embed "../../Web/scripts/settings/access.js"
};
static const unsigned char scripts_settings_alert_channels_js[] = {
#embed "../../Web/scripts/settings/alert-channels.js"
};
static const unsigned char scripts_settings_alert_log_js[] = {
#embed "../../Web/scripts/settings/alert-log.js"
};
static const unsigned char scripts_settings_alert_rule_js[] = {
#embed "../../Web/scripts/settings/alert-rule.js"
};
static const unsigned char scripts_settings_alerts_js[] = {
#embed "../../Web/scripts/settings/alerts.js"
};
static const unsigned char scripts_settings_apps_js[] = {
#embed "../../Web/scripts/settings/apps.js"
};
static const unsigned char scripts_settings_audit_js[] = {
#embed "../../Web/scripts/settings/audit.js"
};
static const unsigned char scripts_settings_erasing_js[] = {
#embed "../../Web/scripts/settings/erasing.js"
};
static const unsigned char scripts_settings_forwarder_form_js[] = {
#embed "../../Web/scripts/settings/forwarder-form.js"
};
static const unsigned char scripts_settings_forwarders_js[] = {
#embed "../../Web/scripts/settings/forwarders.js"
};
static const unsigned char scripts_settings_keys_js[] = {
#embed "../../Web/scripts/settings/keys.js"
};
static const unsigned char scripts_settings_mocks_js[] = {
#embed "../../Web/scripts/settings/mocks.js"
};
static const unsigned char scripts_settings_parts_js[] = {
#embed "../../Web/scripts/settings/parts.js"
};
static const unsigned char scripts_settings_redaction_js[] = {
#embed "../../Web/scripts/settings/redaction.js"
};
static const unsigned char scripts_settings_retention_js[] = {
#embed "../../Web/scripts/settings/retention.js"
};
static const unsigned char scripts_settings_settings_view_js[] = {
#embed "../../Web/scripts/settings/settings-view.js"
};
static const unsigned char scripts_settings_sources_js[] = {
#embed "../../Web/scripts/settings/sources.js"
};
static const unsigned char scripts_settings_upload_conditions_js[] = {
#embed "../../Web/scripts/settings/upload-conditions.js"
};
static const unsigned char scripts_settings_upload_figures_js[] = {
#embed "../../Web/scripts/settings/upload-figures.js"
};
static const unsigned char scripts_settings_upload_rule_js[] = {
#embed "../../Web/scripts/settings/upload-rule.js"
};
static const unsigned char scripts_settings_upload_triggers_js[] = {
#embed "../../Web/scripts/settings/upload-triggers.js"
};
static const unsigned char scripts_settings_upload_js[] = {
#embed "../../Web/scripts/settings/upload.js"
};
static const unsigned char scripts_shell_commands_js[] = {
#embed "../../Web/scripts/shell/commands.js"
};
static const unsigned char scripts_shell_fuzzy_js[] = {
#embed "../../Web/scripts/shell/fuzzy.js"
};
static const unsigned char scripts_shell_help_js[] = {
#embed "../../Web/scripts/shell/help.js"
};
static const unsigned char scripts_shell_keyboard_js[] = {
#embed "../../Web/scripts/shell/keyboard.js"
};
static const unsigned char scripts_shell_palette_js[] = {
#embed "../../Web/scripts/shell/palette.js"
};
static const unsigned char scripts_shell_topbar_js[] = {
#embed "../../Web/scripts/shell/topbar.js"
};
static const unsigned char scripts_shell_view_commands_js[] = {
#embed "../../Web/scripts/shell/view-commands.js"
};
static const unsigned char scripts_sign_in_account_js[] = {
#embed "../../Web/scripts/sign-in/account.js"
};
static const unsigned char scripts_sign_in_dialog_js[] = {
#embed "../../Web/scripts/sign-in/dialog.js"
};
static const unsigned char scripts_sign_in_page_js[] = {
#embed "../../Web/scripts/sign-in/page.js"
};
static const unsigned char scripts_sign_in_ways_js[] = {
#embed "../../Web/scripts/sign-in/ways.js"
};
static const unsigned char scripts_spans_paint_spans_js[] = {
#embed "../../Web/scripts/spans/paint-spans.js"
};
static const unsigned char scripts_spans_span_view_js[] = {
#embed "../../Web/scripts/spans/span-view.js"
};
static const unsigned char scripts_spans_spans_js[] = {
#embed "../../Web/scripts/spans/spans.js"
};
static const unsigned char scripts_spans_trace_view_js[] = {
#embed "../../Web/scripts/spans/trace-view.js"
};
static const unsigned char scripts_storage_app_commands_js[] = {
#embed "../../Web/scripts/storage/app-commands.js"
};
static const unsigned char scripts_storage_confirm_js[] = {
#embed "../../Web/scripts/storage/confirm.js"
};
static const unsigned char scripts_storage_databases_js[] = {
#embed "../../Web/scripts/storage/databases.js"
};
static const unsigned char scripts_storage_defaults_edit_js[] = {
#embed "../../Web/scripts/storage/defaults-edit.js"
};
static const unsigned char scripts_storage_defaults_js[] = {
#embed "../../Web/scripts/storage/defaults.js"
};
static const unsigned char scripts_storage_grid_js[] = {
#embed "../../Web/scripts/storage/grid.js"
};
static const unsigned char scripts_storage_place_js[] = {
#embed "../../Web/scripts/storage/place.js"
};
static const unsigned char scripts_storage_rows_page_js[] = {
#embed "../../Web/scripts/storage/rows-page.js"
};
static const unsigned char scripts_storage_sql_box_js[] = {
#embed "../../Web/scripts/storage/sql-box.js"
};
static const unsigned char scripts_storage_states_js[] = {
#embed "../../Web/scripts/storage/states.js"
};
static const unsigned char scripts_storage_storage_view_js[] = {
#embed "../../Web/scripts/storage/storage-view.js"
};
static const unsigned char scripts_storage_structure_js[] = {
#embed "../../Web/scripts/storage/structure.js"
};
static const unsigned char scripts_theme_js[] = {
#embed "../../Web/scripts/theme.js"
};
static const unsigned char scripts_timeline_arrival_js[] = {
#embed "../../Web/scripts/timeline/arrival.js"
};
static const unsigned char scripts_timeline_breadcrumbs_js[] = {
#embed "../../Web/scripts/timeline/breadcrumbs.js"
};
static const unsigned char scripts_timeline_brush_js[] = {
#embed "../../Web/scripts/timeline/brush.js"
};
static const unsigned char scripts_timeline_crashes_js[] = {
#embed "../../Web/scripts/timeline/crashes.js"
};
static const unsigned char scripts_timeline_ends_js[] = {
#embed "../../Web/scripts/timeline/ends.js"
};
static const unsigned char scripts_timeline_event_list_js[] = {
#embed "../../Web/scripts/timeline/event-list.js"
};
static const unsigned char scripts_timeline_filters_js[] = {
#embed "../../Web/scripts/timeline/filters.js"
};
static const unsigned char scripts_timeline_following_js[] = {
#embed "../../Web/scripts/timeline/following.js"
};
static const unsigned char scripts_timeline_hit_js[] = {
#embed "../../Web/scripts/timeline/hit.js"
};
static const unsigned char scripts_timeline_ledger_js[] = {
#embed "../../Web/scripts/timeline/ledger.js"
};
static const unsigned char scripts_timeline_list_follower_js[] = {
#embed "../../Web/scripts/timeline/list-follower.js"
};
static const unsigned char scripts_timeline_loader_js[] = {
#embed "../../Web/scripts/timeline/loader.js"
};
static const unsigned char scripts_timeline_moment_js[] = {
#embed "../../Web/scripts/timeline/moment.js"
};
static const unsigned char scripts_timeline_nothing_js[] = {
#embed "../../Web/scripts/timeline/nothing.js"
};
static const unsigned char scripts_timeline_opening_js[] = {
#embed "../../Web/scripts/timeline/opening.js"
};
static const unsigned char scripts_timeline_paint_js[] = {
#embed "../../Web/scripts/timeline/paint.js"
};
static const unsigned char scripts_timeline_playhead_js[] = {
#embed "../../Web/scripts/timeline/playhead.js"
};
static const unsigned char scripts_timeline_row_source_js[] = {
#embed "../../Web/scripts/timeline/row-source.js"
};
static const unsigned char scripts_timeline_rows_js[] = {
#embed "../../Web/scripts/timeline/rows.js"
};
static const unsigned char scripts_timeline_ruler_js[] = {
#embed "../../Web/scripts/timeline/ruler.js"
};
static const unsigned char scripts_timeline_selection_js[] = {
#embed "../../Web/scripts/timeline/selection.js"
};
static const unsigned char scripts_timeline_session_commands_js[] = {
#embed "../../Web/scripts/timeline/session-commands.js"
};
static const unsigned char scripts_timeline_session_data_js[] = {
#embed "../../Web/scripts/timeline/session-data.js"
};
static const unsigned char scripts_timeline_session_file_js[] = {
#embed "../../Web/scripts/timeline/session-file.js"
};
static const unsigned char scripts_timeline_session_header_js[] = {
#embed "../../Web/scripts/timeline/session-header.js"
};
static const unsigned char scripts_timeline_session_view_js[] = {
#embed "../../Web/scripts/timeline/session-view.js"
};
static const unsigned char scripts_timeline_stepper_js[] = {
#embed "../../Web/scripts/timeline/stepper.js"
};
static const unsigned char scripts_timeline_text_js[] = {
#embed "../../Web/scripts/timeline/text.js"
};
static const unsigned char scripts_timeline_told_js[] = {
#embed "../../Web/scripts/timeline/told.js"
};
static const unsigned char scripts_timeline_tracks_panel_js[] = {
#embed "../../Web/scripts/timeline/tracks-panel.js"
};
static const unsigned char scripts_timeline_tracks_js[] = {
#embed "../../Web/scripts/timeline/tracks.js"
};
static const unsigned char scripts_timeline_transport_js[] = {
#embed "../../Web/scripts/timeline/transport.js"
};
static const unsigned char scripts_timeline_viewport_js[] = {
#embed "../../Web/scripts/timeline/viewport.js"
};
static const unsigned char scripts_timeline_views_js[] = {
#embed "../../Web/scripts/timeline/views.js"
};
static const unsigned char scripts_users_link_js[] = {
#embed "../../Web/scripts/users/link.js"
};
static const unsigned char scripts_users_user_view_js[] = {
#embed "../../Web/scripts/users/user-view.js"
};
static const unsigned char styles_alerts_css[] = {
#embed "../../Web/styles/alerts.css"
};
static const unsigned char styles_base_css[] = {
#embed "../../Web/styles/base.css"
};
static const unsigned char styles_detail_css[] = {
#embed "../../Web/styles/detail.css"
};
static const unsigned char styles_exchange_css[] = {
#embed "../../Web/styles/exchange.css"
};
static const unsigned char styles_forwarders_css[] = {
#embed "../../Web/styles/forwarders.css"
};
static const unsigned char styles_health_css[] = {
#embed "../../Web/styles/health.css"
};
static const unsigned char styles_issues_css[] = {
#embed "../../Web/styles/issues.css"
};
static const unsigned char styles_network_css[] = {
#embed "../../Web/styles/network.css"
};
static const unsigned char styles_player_css[] = {
#embed "../../Web/styles/player.css"
};
static const unsigned char styles_report_css[] = {
#embed "../../Web/styles/report.css"
};
static const unsigned char styles_responsive_css[] = {
#embed "../../Web/styles/responsive.css"
};
static const unsigned char styles_search_css[] = {
#embed "../../Web/styles/search.css"
};
static const unsigned char styles_sessions_css[] = {
#embed "../../Web/styles/sessions.css"
};
static const unsigned char styles_settings_css[] = {
#embed "../../Web/styles/settings.css"
};
static const unsigned char styles_shell_css[] = {
#embed "../../Web/styles/shell.css"
};
static const unsigned char styles_sign_in_css[] = {
#embed "../../Web/styles/sign-in.css"
};
static const unsigned char styles_spans_css[] = {
#embed "../../Web/styles/spans.css"
};
static const unsigned char styles_storage_css[] = {
#embed "../../Web/styles/storage.css"
};
static const unsigned char styles_targets_css[] = {
#embed "../../Web/styles/targets.css"
};
static const unsigned char styles_timeline_css[] = {
#embed "../../Web/styles/timeline.css"
};
static const unsigned char styles_upload_css[] = {
#embed "../../Web/styles/upload.css"
};
static const unsigned char styles_users_css[] = {
#embed "../../Web/styles/users.css"
};

#define ASSET(path, bytes) {path, bytes, sizeof(bytes)}

static const struct am_web_asset assets[] = {
    ASSET("icon.svg", icon_svg),
    ASSET("index.html", index_html),
    ASSET("scripts/asks/about.js", scripts_asks_about_js),
    ASSET("scripts/asks/ask-button.js", scripts_asks_ask_button_js),
    ASSET("scripts/asks/section.js", scripts_asks_section_js),
    ASSET("scripts/asks/words.js", scripts_asks_words_js),
    ASSET("scripts/base/api.js", scripts_base_api_js),
    ASSET("scripts/base/author.js", scripts_base_author_js),
    ASSET("scripts/base/colours.js", scripts_base_colours_js),
    ASSET("scripts/base/dom.js", scripts_base_dom_js),
    ASSET("scripts/base/download.js", scripts_base_download_js),
    ASSET("scripts/base/format.js", scripts_base_format_js),
    ASSET("scripts/base/icons.js", scripts_base_icons_js),
    ASSET("scripts/base/place.js", scripts_base_place_js),
    ASSET("scripts/base/route.js", scripts_base_route_js),
    ASSET("scripts/base/same.js", scripts_base_same_js),
    ASSET("scripts/base/send.js", scripts_base_send_js),
    ASSET("scripts/base/tail.js", scripts_base_tail_js),
    ASSET("scripts/base/whole-words.js", scripts_base_whole_words_js),
    ASSET("scripts/detail/context.js", scripts_detail_context_js),
    ASSET("scripts/detail/fields.js", scripts_detail_fields_js),
    ASSET("scripts/detail/json.js", scripts_detail_json_js),
    ASSET("scripts/detail/panel.js", scripts_detail_panel_js),
    ASSET("scripts/detail/tabs.js", scripts_detail_tabs_js),
    ASSET("scripts/events/describe.js", scripts_events_describe_js),
    ASSET("scripts/events/details.js", scripts_events_details_js),
    ASSET("scripts/events/lifecycle.js", scripts_events_lifecycle_js),
    ASSET("scripts/events/measured.js", scripts_events_measured_js),
    ASSET("scripts/events/outline.js", scripts_events_outline_js),
    ASSET("scripts/events/packed-outline.js", scripts_events_packed_outline_js),
    ASSET("scripts/events/touched.js", scripts_events_touched_js),
    ASSET("scripts/events/types.js", scripts_events_types_js),
    ASSET("scripts/exchange/address.js", scripts_exchange_address_js),
    ASSET("scripts/exchange/body.js", scripts_exchange_body_js),
    ASSET("scripts/exchange/exchange.js", scripts_exchange_exchange_js),
    ASSET("scripts/exchange/finder.js", scripts_exchange_finder_js),
    ASSET("scripts/exchange/frames.js", scripts_exchange_frames_js),
    ASSET("scripts/exchange/pretty.js", scripts_exchange_pretty_js),
    ASSET("scripts/exchange/resend.js", scripts_exchange_resend_js),
    ASSET("scripts/exchange/timing.js", scripts_exchange_timing_js),
    ASSET("scripts/health/chart.js", scripts_health_chart_js),
    ASSET("scripts/health/compare.js", scripts_health_compare_js),
    ASSET("scripts/health/ends.js", scripts_health_ends_js),
    ASSET("scripts/health/health-view.js", scripts_health_health_view_js),
    ASSET("scripts/health/parts.js", scripts_health_parts_js),
    ASSET("scripts/health/place.js", scripts_health_place_js),
    ASSET("scripts/health/recorder.js", scripts_health_recorder_js),
    ASSET("scripts/health/requests.js", scripts_health_requests_js),
    ASSET("scripts/health/savings.js", scripts_health_savings_js),
    ASSET("scripts/health/speed.js", scripts_health_speed_js),
    ASSET("scripts/issues/affected.js", scripts_issues_affected_js),
    ASSET("scripts/issues/history.js", scripts_issues_history_js),
    ASSET("scripts/issues/issue-view.js", scripts_issues_issue_view_js),
    ASSET("scripts/issues/issues-view.js", scripts_issues_issues_view_js),
    ASSET("scripts/issues/kinds.js", scripts_issues_kinds_js),
    ASSET("scripts/issues/merging.js", scripts_issues_merging_js),
    ASSET("scripts/issues/owners.js", scripts_issues_owners_js),
    ASSET("scripts/issues/place.js", scripts_issues_place_js),
    ASSET("scripts/issues/sparkline.js", scripts_issues_sparkline_js),
    ASSET("scripts/issues/status.js", scripts_issues_status_js),
    ASSET("scripts/list/source.js", scripts_list_source_js),
    ASSET("scripts/list/virtual-list.js", scripts_list_virtual_list_js),
    ASSET("scripts/main.js", scripts_main_js),
    ASSET("scripts/network/bar.js", scripts_network_bar_js),
    ASSET("scripts/network/columns.js", scripts_network_columns_js),
    ASSET("scripts/network/compare.js", scripts_network_compare_js),
    ASSET("scripts/network/diff.js", scripts_network_diff_js),
    ASSET("scripts/network/endpoints.js", scripts_network_endpoints_js),
    ASSET("scripts/network/filters.js", scripts_network_filters_js),
    ASSET("scripts/network/network-view.js", scripts_network_network_view_js),
    ASSET("scripts/network/notices.js", scripts_network_notices_js),
    ASSET("scripts/network/place.js", scripts_network_place_js),
    ASSET("scripts/network/request-pages.js", scripts_network_request_pages_js),
    ASSET("scripts/network/rows.js", scripts_network_rows_js),
    ASSET("scripts/network/scale.js", scripts_network_scale_js),
    ASSET("scripts/network/summary.js", scripts_network_summary_js),
    ASSET("scripts/pages.js", scripts_pages_js),
    ASSET("scripts/replay/clock.js", scripts_replay_clock_js),
    ASSET("scripts/replay/decode.js", scripts_replay_decode_js),
    ASSET("scripts/replay/faults.js", scripts_replay_faults_js),
    ASSET("scripts/replay/frame-records.js", scripts_replay_frame_records_js),
    ASSET("scripts/replay/image-size.js", scripts_replay_image_size_js),
    ASSET("scripts/replay/live.js", scripts_replay_live_js),
    ASSET("scripts/replay/picture.js", scripts_replay_picture_js),
    ASSET("scripts/replay/pieces.js", scripts_replay_pieces_js),
    ASSET("scripts/replay/player.js", scripts_replay_player_js),
    ASSET("scripts/replay/preview.js", scripts_replay_preview_js),
    ASSET("scripts/replay/recording.js", scripts_replay_recording_js),
    ASSET("scripts/replay/scrubber.js", scripts_replay_scrubber_js),
    ASSET("scripts/replay/touches.js", scripts_replay_touches_js),
    ASSET("scripts/replay/wireframe.js", scripts_replay_wireframe_js),
    ASSET("scripts/report/before.js", scripts_report_before_js),
    ASSET("scripts/report/images.js", scripts_report_images_js),
    ASSET("scripts/report/in-panel.js", scripts_report_in_panel_js),
    ASSET("scripts/report/report.js", scripts_report_report_js),
    ASSET("scripts/report/source.js", scripts_report_source_js),
    ASSET("scripts/report/stack.js", scripts_report_stack_js),
    ASSET("scripts/report/weights.js", scripts_report_weights_js),
    ASSET("scripts/search/complete.js", scripts_search_complete_js),
    ASSET("scripts/search/marks.js", scripts_search_marks_js),
    ASSET("scripts/search/query-field.js", scripts_search_query_field_js),
    ASSET("scripts/sessions/ended.js", scripts_sessions_ended_js),
    ASSET("scripts/sessions/facets.js", scripts_sessions_facets_js),
    ASSET("scripts/sessions/find.js", scripts_sessions_find_js),
    ASSET("scripts/sessions/first-steps.js", scripts_sessions_first_steps_js),
    ASSET("scripts/sessions/imported.js", scripts_sessions_imported_js),
    ASSET("scripts/sessions/name.js", scripts_sessions_name_js),
    ASSET("scripts/sessions/neighbours.js", scripts_sessions_neighbours_js),
    ASSET("scripts/sessions/on-device.js", scripts_sessions_on_device_js),
    ASSET("scripts/sessions/open-file.js", scripts_sessions_open_file_js),
    ASSET("scripts/sessions/place.js", scripts_sessions_place_js),
    ASSET("scripts/sessions/rows.js", scripts_sessions_rows_js),
    ASSET("scripts/sessions/saved-menu.js", scripts_sessions_saved_menu_js),
    ASSET("scripts/sessions/saved.js", scripts_sessions_saved_js),
    ASSET("scripts/sessions/search.js", scripts_sessions_search_js),
    ASSET("scripts/sessions/sessions-view.js", scripts_sessions_sessions_view_js),
    ASSET("scripts/settings/access.js", scripts_settings_access_js),
    ASSET("scripts/settings/alert-channels.js", scripts_settings_alert_channels_js),
    ASSET("scripts/settings/alert-log.js", scripts_settings_alert_log_js),
    ASSET("scripts/settings/alert-rule.js", scripts_settings_alert_rule_js),
    ASSET("scripts/settings/alerts.js", scripts_settings_alerts_js),
    ASSET("scripts/settings/apps.js", scripts_settings_apps_js),
    ASSET("scripts/settings/audit.js", scripts_settings_audit_js),
    ASSET("scripts/settings/erasing.js", scripts_settings_erasing_js),
    ASSET("scripts/settings/forwarder-form.js", scripts_settings_forwarder_form_js),
    ASSET("scripts/settings/forwarders.js", scripts_settings_forwarders_js),
    ASSET("scripts/settings/keys.js", scripts_settings_keys_js),
    ASSET("scripts/settings/mocks.js", scripts_settings_mocks_js),
    ASSET("scripts/settings/parts.js", scripts_settings_parts_js),
    ASSET("scripts/settings/redaction.js", scripts_settings_redaction_js),
    ASSET("scripts/settings/retention.js", scripts_settings_retention_js),
    ASSET("scripts/settings/settings-view.js", scripts_settings_settings_view_js),
    ASSET("scripts/settings/sources.js", scripts_settings_sources_js),
    ASSET("scripts/settings/upload-conditions.js", scripts_settings_upload_conditions_js),
    ASSET("scripts/settings/upload-figures.js", scripts_settings_upload_figures_js),
    ASSET("scripts/settings/upload-rule.js", scripts_settings_upload_rule_js),
    ASSET("scripts/settings/upload-triggers.js", scripts_settings_upload_triggers_js),
    ASSET("scripts/settings/upload.js", scripts_settings_upload_js),
    ASSET("scripts/shell/commands.js", scripts_shell_commands_js),
    ASSET("scripts/shell/fuzzy.js", scripts_shell_fuzzy_js),
    ASSET("scripts/shell/help.js", scripts_shell_help_js),
    ASSET("scripts/shell/keyboard.js", scripts_shell_keyboard_js),
    ASSET("scripts/shell/palette.js", scripts_shell_palette_js),
    ASSET("scripts/shell/topbar.js", scripts_shell_topbar_js),
    ASSET("scripts/shell/view-commands.js", scripts_shell_view_commands_js),
    ASSET("scripts/sign-in/account.js", scripts_sign_in_account_js),
    ASSET("scripts/sign-in/dialog.js", scripts_sign_in_dialog_js),
    ASSET("scripts/sign-in/page.js", scripts_sign_in_page_js),
    ASSET("scripts/sign-in/ways.js", scripts_sign_in_ways_js),
    ASSET("scripts/spans/paint-spans.js", scripts_spans_paint_spans_js),
    ASSET("scripts/spans/span-view.js", scripts_spans_span_view_js),
    ASSET("scripts/spans/spans.js", scripts_spans_spans_js),
    ASSET("scripts/spans/trace-view.js", scripts_spans_trace_view_js),
    ASSET("scripts/storage/app-commands.js", scripts_storage_app_commands_js),
    ASSET("scripts/storage/confirm.js", scripts_storage_confirm_js),
    ASSET("scripts/storage/databases.js", scripts_storage_databases_js),
    ASSET("scripts/storage/defaults-edit.js", scripts_storage_defaults_edit_js),
    ASSET("scripts/storage/defaults.js", scripts_storage_defaults_js),
    ASSET("scripts/storage/grid.js", scripts_storage_grid_js),
    ASSET("scripts/storage/place.js", scripts_storage_place_js),
    ASSET("scripts/storage/rows-page.js", scripts_storage_rows_page_js),
    ASSET("scripts/storage/sql-box.js", scripts_storage_sql_box_js),
    ASSET("scripts/storage/states.js", scripts_storage_states_js),
    ASSET("scripts/storage/storage-view.js", scripts_storage_storage_view_js),
    ASSET("scripts/storage/structure.js", scripts_storage_structure_js),
    ASSET("scripts/theme.js", scripts_theme_js),
    ASSET("scripts/timeline/arrival.js", scripts_timeline_arrival_js),
    ASSET("scripts/timeline/breadcrumbs.js", scripts_timeline_breadcrumbs_js),
    ASSET("scripts/timeline/brush.js", scripts_timeline_brush_js),
    ASSET("scripts/timeline/crashes.js", scripts_timeline_crashes_js),
    ASSET("scripts/timeline/ends.js", scripts_timeline_ends_js),
    ASSET("scripts/timeline/event-list.js", scripts_timeline_event_list_js),
    ASSET("scripts/timeline/filters.js", scripts_timeline_filters_js),
    ASSET("scripts/timeline/following.js", scripts_timeline_following_js),
    ASSET("scripts/timeline/hit.js", scripts_timeline_hit_js),
    ASSET("scripts/timeline/ledger.js", scripts_timeline_ledger_js),
    ASSET("scripts/timeline/list-follower.js", scripts_timeline_list_follower_js),
    ASSET("scripts/timeline/loader.js", scripts_timeline_loader_js),
    ASSET("scripts/timeline/moment.js", scripts_timeline_moment_js),
    ASSET("scripts/timeline/nothing.js", scripts_timeline_nothing_js),
    ASSET("scripts/timeline/opening.js", scripts_timeline_opening_js),
    ASSET("scripts/timeline/paint.js", scripts_timeline_paint_js),
    ASSET("scripts/timeline/playhead.js", scripts_timeline_playhead_js),
    ASSET("scripts/timeline/row-source.js", scripts_timeline_row_source_js),
    ASSET("scripts/timeline/rows.js", scripts_timeline_rows_js),
    ASSET("scripts/timeline/ruler.js", scripts_timeline_ruler_js),
    ASSET("scripts/timeline/selection.js", scripts_timeline_selection_js),
    ASSET("scripts/timeline/session-commands.js", scripts_timeline_session_commands_js),
    ASSET("scripts/timeline/session-data.js", scripts_timeline_session_data_js),
    ASSET("scripts/timeline/session-file.js", scripts_timeline_session_file_js),
    ASSET("scripts/timeline/session-header.js", scripts_timeline_session_header_js),
    ASSET("scripts/timeline/session-view.js", scripts_timeline_session_view_js),
    ASSET("scripts/timeline/stepper.js", scripts_timeline_stepper_js),
    ASSET("scripts/timeline/text.js", scripts_timeline_text_js),
    ASSET("scripts/timeline/told.js", scripts_timeline_told_js),
    ASSET("scripts/timeline/tracks-panel.js", scripts_timeline_tracks_panel_js),
    ASSET("scripts/timeline/tracks.js", scripts_timeline_tracks_js),
    ASSET("scripts/timeline/transport.js", scripts_timeline_transport_js),
    ASSET("scripts/timeline/viewport.js", scripts_timeline_viewport_js),
    ASSET("scripts/timeline/views.js", scripts_timeline_views_js),
    ASSET("scripts/users/link.js", scripts_users_link_js),
    ASSET("scripts/users/user-view.js", scripts_users_user_view_js),
    ASSET("styles/alerts.css", styles_alerts_css),
    ASSET("styles/base.css", styles_base_css),
    ASSET("styles/detail.css", styles_detail_css),
    ASSET("styles/exchange.css", styles_exchange_css),
    ASSET("styles/forwarders.css", styles_forwarders_css),
    ASSET("styles/health.css", styles_health_css),
    ASSET("styles/issues.css", styles_issues_css),
    ASSET("styles/network.css", styles_network_css),
    ASSET("styles/player.css", styles_player_css),
    ASSET("styles/report.css", styles_report_css),
    ASSET("styles/responsive.css", styles_responsive_css),
    ASSET("styles/search.css", styles_search_css),
    ASSET("styles/sessions.css", styles_sessions_css),
    ASSET("styles/settings.css", styles_settings_css),
    ASSET("styles/shell.css", styles_shell_css),
    ASSET("styles/sign-in.css", styles_sign_in_css),
    ASSET("styles/spans.css", styles_spans_css),
    ASSET("styles/storage.css", styles_storage_css),
    ASSET("styles/targets.css", styles_targets_css),
    ASSET("styles/timeline.css", styles_timeline_css),
    ASSET("styles/upload.css", styles_upload_css),
    ASSET("styles/users.css", styles_users_css),
};

const struct am_web_asset *const am_web_assets = assets;
const size_t am_web_asset_count = sizeof(assets) / sizeof(assets[0]);
