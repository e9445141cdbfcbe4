ALTER TABLE "content_drafts" DROP CONSTRAINT "content_drafts_kind";--> statement-breakpoint
ALTER TABLE "content_versions" DROP CONSTRAINT "content_versions_kind";--> statement-breakpoint
ALTER TABLE "content_drafts" ADD CONSTRAINT "content_drafts_kind" CHECK ("content_drafts"."kind" in ('question', 'advice', 'partner', 'testimonial', 'announcement', 'reply', 'legal'));--> statement-breakpoint
ALTER TABLE "content_versions" ADD CONSTRAINT "content_versions_kind" CHECK ("content_versions"."kind" in ('question', 'advice', 'partner', 'testimonial', 'announcement', 'reply', 'legal'));