ALTER TABLE "consultations" ADD COLUMN "urgency" text DEFAULT 'routine' NOT NULL;--> statement-breakpoint
ALTER TABLE "consultations" ADD COLUMN "urgency_read" jsonb;--> statement-breakpoint
ALTER TABLE "consultations" ADD CONSTRAINT "consultations_urgency" CHECK ("consultations"."urgency" in ('emergency', 'urgent', 'soon', 'routine'));--> statement-breakpoint
DROP TRIGGER "list_changes" ON "consultations";--> statement-breakpoint
CREATE TRIGGER "list_changes" AFTER INSERT OR DELETE OR UPDATE OF
	"type", "region", "user_id", "pet_id", "vet_id", "clinic_id", "caller", "pet_issue", "outcome", "start", "vet_start", "end", "cancelled_at",
	"free_since", "mail_when_taken", "clinic_shared_at", "clinic_notified_at", "clinic_accepted_at", "demo", "urgency", "urgency_read"
	ON "consultations" FOR EACH STATEMENT EXECUTE FUNCTION count_list_change();
